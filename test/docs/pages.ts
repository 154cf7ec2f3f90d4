import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** The text of an HTML comment directly above the block, such as "openapi: POST /bookings 201". */
  note: string;
  line: number;
}

/** Every page of the documentation, by its path from the root of the repository. */
export const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
];

export const readPage = (path: string) => readFileSync(path, 'utf8');

const FENCE = /^```(\w*)\n(.*?)^```$/gms;

/** The fenced blocks of a page, in order. */
export function readBlocks(path: string): Block[] {
  const page = readPage(path);
  return [...page.matchAll(FENCE)].map((found) => {
    const before = page.slice(0, found.index);
    return {
      language: found[1] ?? '',
      text: found[2] ?? '',
      note: /<!-- ([^>]*) -->\s*$/.exec(before)?.[1] ?? '',
      line: before.split('\n').length,
    };
  });
}

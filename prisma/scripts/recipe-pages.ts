import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { replacePart } from './docs.ts';

const FOLDER = 'docs/recipes';

const LANGUAGES: Record<string, string> = {
  '.mjs': 'js',
  '.js': 'js',
  '.html': 'html',
  '.py': 'python',
  '.php': 'php',
  '.go': 'go',
};

const listFiles = () =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((name) => join(FOLDER, name));

/** The pages about recipes, by their paths from the root of the repository. */
export const listRecipePages = (): string[] =>
  listFiles()
    .filter((path) => extname(path) === '.md')
    .sort();

/** The files with the code of recipes. */
export const listRecipeCode = (): string[] =>
  listFiles()
    .filter((path) => extname(path) in LANGUAGES)
    .sort();

/** Returns a page with the code of the files beside it that it has parts for. */
export function showRecipeCode(path: string): string {
  const page = readFileSync(path, 'utf8');
  const names = [...page.matchAll(/^<!-- ([\w-]+\.\w+): generated/gm)].map(([, name = '']) => name);
  return names.reduce((page, name) => {
    const code = readFileSync(join(dirname(path), name), 'utf8');
    return replacePart(page, name, `\`\`\`${LANGUAGES[extname(name)]}\n${code}\`\`\``);
  }, page);
}

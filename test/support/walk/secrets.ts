import type { TestApp } from '../harness/app.ts';
import type { FindSecret } from './findings.ts';

/** What admits people, and what a screen shows while it is paired. Stored as plain text, so that scanners can find them. */
const CODES = {
  'order code': 'SELECT code FROM orders',
  'ticket code': 'SELECT code FROM tickets',
  'day pass code': 'SELECT code FROM day_passes',
  'member code': 'SELECT code FROM members',
  'pairing code': 'SELECT code FROM display_pairings',
};

/** Reads every code of the database, by the code. Those in `known` are left out, since the caller presents them. */
export async function readCodes(app: TestApp, known: string[]): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  for (const [kind, sql] of Object.entries(CODES)) {
    const rows = await app.ctx.db.$queryRawUnsafe<{ code: string }[]>(sql);
    if (rows.length === 0) throw new Error(`there is no ${kind}`);
    for (const { code } of rows) codes.set(code, kind);
  }
  for (const code of known) codes.delete(code);
  return codes;
}

/** Every kind of secret has a prefix, which secret scanners use too. */
const SECRET = /foyer[a-z]?_[0-9a-z]{20,}|whsec_[0-9a-z+/]{20,}/i;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const IMAGE = /data:image\/|<svg/i;
const ENCODED = /[\w+/-]{12,}={0,2}/g;

/**
 * Returns a function that finds a secret, one of the codes in any spelling, or an image, since only images of QR codes
 * exist.
 */
export function createCodeFinder(codes: Map<string, string>): FindSecret {
  const lengths = [...new Set([...codes.keys()].map((code) => code.length))];
  const known = new Map<string, string | null>();

  const findCode = (text: string): string | null => {
    const characters = text
      .replace(UUID, ' ')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '');
    for (let at = 0; at < characters.length; at += 1)
      for (const length of lengths) {
        const kind = codes.get(characters.slice(at, at + length));
        if (kind !== undefined) return kind;
      }
    return null;
  };
  const find = (text: string): string | null => {
    if (IMAGE.test(text)) return 'an image';
    for (const spelling of listSpellings(text)) {
      const kind = SECRET.test(spelling) ? 'a secret' : findCode(spelling);
      if (kind !== null) return kind;
    }
    return null;
  };
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = find(text);
      known.set(text, result);
    }
    return result;
  };
}

/** The text itself, without percent-encoding, and what parts of it are in base64, such as cursors. */
function listSpellings(text: string): string[] {
  const decoded = [...text.matchAll(ENCODED)].map(([part]) =>
    Buffer.from(part, 'base64').toString('latin1'),
  );
  return [text, decodePercents(text), ...decoded];
}

function decodePercents(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

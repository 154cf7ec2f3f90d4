/** The characters that codes are made of: no vowels, so hardly any name looks like one. */
const SCAN_CODE_PATTERN = /^[2-9BCDFGHJKMNPQRSTVWXZ]{6,24}$/;
const MIN_QUERY_LENGTH = 3;

export type KioskInput =
  | { kind: 'code'; code: string }
  | { kind: 'query'; query: string }
  | { kind: 'too short' };

/** What somebody typed, or a scanner did: a code in any case, with spaces and dashes; or who it is. */
export function parseKioskInput(text: string): KioskInput {
  const tidy = stripTicketUrl(text).normalize('NFC').trim().replace(/\s+/g, ' ');
  const dense = tidy.replace(/[\s\-–_]/g, '').toUpperCase();
  if (SCAN_CODE_PATTERN.test(dense)) return { kind: 'code', code: dense };
  // Names have no digits, and addresses have an @: this is a code with a slip in it, and is told so.
  if (/\d/.test(dense) && !tidy.includes('@') && dense.length >= 6)
    return { kind: 'code', code: dense.slice(0, 64) };
  if ([...tidy].length < MIN_QUERY_LENGTH) return { kind: 'too short' };
  return { kind: 'query', query: tidy };
}

/** Whoever writes the whole address means one person. */
export const isEmailAddress = (query: string) => /^\S+@\S+\.\S+$/.test(query);

/** QR codes may hold the link to a ticket, whose code stands behind the #. */
const stripTicketUrl = (text: string) =>
  /^https?:\/\/\S+#\S+$/.test(text.trim()) ? text.slice(text.indexOf('#') + 1) : text;

/** The characters of codes. They include no vowels, so hardly any name looks like a code. */
const SCAN_CODE_PATTERN = /^[2-9BCDFGHJKMNPQRSTVWXZ]{6,24}$/;
/**
 * The code of a ticket or day pass from a scanner whose layout swaps Y and Z. The service finds the code with a Z. Names can have Y as
 * their only vowel, but not with twelve letters of codes in one word. It also finds shorter codes of members by a search.
 */
const SWAPPED_TICKET_CODE_PATTERN = /^[2-9BCDFGHJKMNPQRSTVWXYZ]{12}$/;
const MIN_QUERY_LENGTH = 3;

export type KioskInput =
  | { kind: 'code'; code: string }
  | { kind: 'query'; query: string }
  | { kind: 'too-short' };

/** Distinguishes codes from names and email addresses. Codes may be in lower case and contain spaces or dashes. */
export function parseKioskInput(text: string): KioskInput {
  const tidy = stripTicketUrl(text).normalize('NFC').trim().replace(/\s+/g, ' ');
  const dense = tidy.replace(/[\s\-–_]/g, '').toUpperCase();
  if (SCAN_CODE_PATTERN.test(dense)) return { kind: 'code', code: dense };
  if (SWAPPED_TICKET_CODE_PATTERN.test(tidy.toUpperCase())) return { kind: 'code', code: dense };
  // Names have no digits and email addresses have an @, so this is a mistyped code.
  if (/\d/.test(dense) && !tidy.includes('@') && dense.length >= 6)
    return { kind: 'code', code: dense.slice(0, 64) };
  if ([...tidy].length < MIN_QUERY_LENGTH) return { kind: 'too-short' };
  return { kind: 'query', query: tidy };
}

/** QR codes may contain the link to a ticket, which has the code after the #. */
const stripTicketUrl = (text: string) =>
  /^https?:\/\/[^\s#]+#\S+$/.test(text.trim()) ? text.slice(text.indexOf('#') + 1) : text;

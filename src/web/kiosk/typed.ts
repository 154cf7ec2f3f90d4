/** The characters that codes are made of: no vowels, so hardly any name looks like one. */
const CODE = /^[2-9BCDFGHJKMNPQRSTVWXZ]{6,24}$/;
const FEWEST_LETTERS = 3;

export type Typed =
  | { is: 'code'; code: string }
  | { is: 'query'; query: string }
  | { is: 'too short' };

/** What somebody typed, or a scanner did: a code in any case, with spaces and dashes; or who it is. */
export function understand(text: string): Typed {
  const tidy = afterHash(text).normalize('NFC').trim().replace(/\s+/g, ' ');
  const dense = tidy.replace(/[\s\-–_]/g, '').toUpperCase();
  if (CODE.test(dense)) return { is: 'code', code: dense };
  // Names have no digits, and addresses have an @: this is a code with a slip in it, and is told so.
  if (/\d/.test(dense) && !tidy.includes('@') && dense.length >= 6)
    return { is: 'code', code: dense.slice(0, 64) };
  if ([...tidy].length < FEWEST_LETTERS) return { is: 'too short' };
  return { is: 'query', query: tidy };
}

/** Whoever writes the whole address means one person. */
export const isAddress = (query: string) => /^\S+@\S+\.\S+$/.test(query);

/** QR codes may hold the link to a ticket, whose code stands behind the #. */
const afterHash = (text: string) =>
  /^https?:\/\/\S+#\S+$/.test(text.trim()) ? text.slice(text.indexOf('#') + 1) : text;

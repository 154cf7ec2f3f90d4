import type { Ctx } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';

/** What somebody typed, as it is understood. */
export type Question =
  | { exact: true; email: string }
  | { exact: true; code: string }
  | { exact: false; name: string };

const CODE_LENGTH = 10;
const LEAST_LETTERS = 3;

/**
 * A whole e-mail address; a code, where a member has it, since names may look the same; else a name. Throws VALIDATION,
 * reason `QUERY_TOO_SHORT`.
 */
export async function read({ db }: Ctx, query: string): Promise<Question> {
  const words = query.trim();
  if (/^[^\s@]+@[^\s@]+$/u.test(words)) return { exact: true, email: words.toLowerCase() };
  const code = codeIn(words);
  if (code !== null && (await db.member.count({ where: { code } })) > 0)
    return { exact: true, code };
  if (lettersIn(words) < LEAST_LETTERS) {
    throw new DomainError(
      'VALIDATION',
      'Type at least three letters of a name, the whole e-mail address, or the code.',
      { reason: 'QUERY_TOO_SHORT', leastLetters: LEAST_LETTERS },
    );
  }
  return { exact: false, name: words };
}

/** However it is written out. */
function codeIn(words: string): string | null {
  const code = words.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return code.length === CODE_LENGTH && /^[0-9A-Z]+$/.test(code) ? code : null;
}

/** Composed, for an accent to be no letter, and a Hangul syllable one. */
const lettersIn = (words: string) => words.normalize('NFC').match(/\p{L}/gu)?.length ?? 0;

import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../errors.ts';

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 200;
/** Throws VALIDATION with what to do better. Length is what counts; composition rules only make people write it down. */
export async function assertStrongPassword(password: string, email: string): Promise<void> {
  const refuse = (message: string) => {
    throw new DomainError('VALIDATION', message, { reason: 'PASSWORD_TOO_WEAK' });
  };
  if (password.length < MIN_PASSWORD_LENGTH) {
    refuse(
      `The password needs at least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words do well.`,
    );
  }
  if (password.length > MAX_PASSWORD_LENGTH)
    refuse(`The password may have at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (new Set(password).size < 5) refuse('The password repeats too few characters to be safe.');
  const lower = password.toLowerCase();
  const name = email.toLowerCase().split('@')[0] ?? '';
  if (name.length >= 4 && lower.includes(name))
    refuse('The password must not contain the e-mail address.');
  if (isCommonPassword(lower, await loadCommonPasswords())) {
    refuse(
      'This password is a common one, or close to it, and would be guessed soon. A few unrelated words do well.',
    );
  }
}

let commonPasswords: Promise<Set<string>> | undefined;

/** Some 50,000, read when the first password is set: most processes never need them. */
function loadCommonPasswords(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set([...dictionary['passwords-common'], ...EXTRA_COMMON_PASSWORDS]),
  );
  return commonPasswords;
}

/** Guessed first where people speak other languages, and of this product. */
const EXTRA_COMMON_PASSWORDS = [
  'passwort',
  'geheim',
  'willkommen',
  'hallo',
  'administrator',
  'foyer',
];

/** Shorter words are part of too many good passwords. */
const MIN_WORD_LENGTH = 4;
const MIN_OWN_CHARACTERS = 4;

/**
 * Whether it is a common password in lower case, also with figures and signs around it, with letters written as figures or
 * signs, twice in a row, or with less than four characters of its own.
 */
function isCommonPassword(lower: string, common: Set<string>): boolean {
  return [lower, toPlainLetters(lower)].some((spelling) => {
    const bare = spelling.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return [spelling, bare].some(
      (text) =>
        common.has(text) ||
        (text.length <= MAX_SEARCHED_LENGTH && hasFewOwnCharacters(text, common)),
    );
  });
}

const MAX_SEARCHED_LENGTH = 32;

/** Takes the longest common passwords out; those that are repeated go as often as they stand there. */
function hasFewOwnCharacters(spelling: string, common: Set<string>): boolean {
  for (let length = spelling.length; length >= MIN_WORD_LENGTH; length -= 1) {
    for (let start = 0; start + length <= spelling.length; start += 1) {
      const word = spelling.slice(start, start + length);
      if (common.has(word) && spelling.replaceAll(word, '').length < MIN_OWN_CHARACTERS)
        return true;
    }
  }
  return false;
}

const LETTER_SUBSTITUTIONS: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l', '€': 'e', '+': 't' },
};

const toPlainLetters = (text: string) =>
  text.replace(/[0134578@$!|€+]/g, (sign) => LETTER_SUBSTITUTIONS[sign] ?? sign);

export const hashPassword = (password: string) => hash(password);

let decoyHash: Promise<string> | undefined;

/** Takes as long for an unknown person as for a known one, so the time tells nothing. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoyHash ??= hash('nobody has this one');
  const matches = await verify(
    passwordHash ?? (await decoyHash),
    password.slice(0, MAX_PASSWORD_LENGTH),
  );
  return matches && Boolean(passwordHash) && password.length <= MAX_PASSWORD_LENGTH;
}

import { hash, verify } from '@node-rs/argon2';
import type { Context } from '../context.ts';
import { toClientNetwork } from '../core/client-ip.ts';
import { DomainError } from '../errors.ts';

const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 200;

/**
 * Checks the strength of a new password. It requires length, but no mix of characters, which makes people write passwords
 * down.
 * @throws VALIDATION with a message that says how to improve the password. `field` is that of the input.
 */
export async function assertStrongPassword(
  password: string,
  email: string,
  field = 'password',
): Promise<void> {
  const reject = (message: string) => {
    throw new DomainError('VALIDATION', message, { reason: 'PASSWORD_TOO_WEAK', fields: [field] });
  };
  if (password.length < MIN_PASSWORD_LENGTH) {
    reject(
      `The password needs at least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words work well.`,
    );
  }
  if (password.length > MAX_PASSWORD_LENGTH)
    reject(`The password can have at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (new Set(password).size < 5) reject('The password needs at least five different characters.');
  const lower = password.toLowerCase();
  const name = email.toLowerCase().split('@')[0] ?? '';
  if (name.length >= 4 && lower.includes(name))
    reject('The password must not contain the email address.');
  if (isCommonPassword(lower, await loadCommonPasswords())) {
    reject('This password is too similar to a common one. A few unrelated words work well.');
  }
}

let commonPasswords: Promise<Set<string>> | undefined;

/** Loads about 50,000 passwords when the first password is set, since most processes never need them. */
function loadCommonPasswords(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set([...dictionary['passwords-common'], ...EXTRA_COMMON_PASSWORDS]),
  );
  return commonPasswords;
}

/** Common in other languages, or related to this product. */
const EXTRA_COMMON_PASSWORDS = [
  'passwort',
  'geheim',
  'willkommen',
  'hallo',
  'administrator',
  'foyer',
];

/** Shorter words occur in too many good passwords. */
const MIN_WORD_LENGTH = 4;
const MIN_EXTRA_CHARACTERS = 4;

/**
 * Whether the password is a common one, or a variation: with digits and symbols around it, with letters replaced by digits
 * or symbols, repeated, or with fewer than four additional characters.
 */
function isCommonPassword(lower: string, common: Set<string>): boolean {
  return [lower, toPlainLetters(lower)].some((spelling) => {
    const bare = spelling.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '');
    return [spelling, bare].some(
      (text) =>
        common.has(text) ||
        (text.length <= MAX_SEARCHED_LENGTH && hasFewExtraCharacters(text, common)),
    );
  });
}

const MAX_SEARCHED_LENGTH = 32;

/** Whether few characters remain after removing a common password. Tries the longest common passwords first. */
function hasFewExtraCharacters(spelling: string, common: Set<string>): boolean {
  for (let length = spelling.length; length >= MIN_WORD_LENGTH; length -= 1) {
    for (let start = 0; start + length <= spelling.length; start += 1) {
      const word = spelling.slice(start, start + length);
      if (common.has(word) && spelling.replaceAll(word, '').length < MIN_EXTRA_CHARACTERS)
        return true;
    }
  }
  return false;
}

const LETTER_SUBSTITUTIONS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '€': 'e',
  '+': 't',
};

const toPlainLetters = (text: string) =>
  text.replace(/[0134578@$!|€+]/g, (symbol) => LETTER_SUBSTITUTIONS[symbol] ?? symbol);

/** The password of all staff accounts of the command `demo`. It is published. */
export const DEMO_PASSWORD = 'tulip orbit cellar';

/** Who waits for a hash. Without a caller, such as in commands, hashes are computed at once. */
type Caller = Pick<Context, 'clientAddress' | 'getDisconnectSignal' | 'queues'>;

/** @throws UNAVAILABLE while too many hashes are computed, or if the caller disconnects during the wait. */
export const hashPassword = (password: string, caller?: Caller): Promise<string> =>
  queueHash(caller, () => hash(password));

let decoyHash: Promise<string> | undefined;

/**
 * Verifies a password. It takes the same time without a hash, so that timing does not reveal whether an account exists.
 * @throws UNAVAILABLE while too many hashes are computed, or if the caller disconnects during the wait.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
  caller?: Caller,
): Promise<boolean> {
  decoyHash ??= hash('decoy password');
  const known = passwordHash ?? (await decoyHash);
  const matches = await queueHash(caller, () =>
    verify(known, password.slice(0, MAX_PASSWORD_LENGTH)),
  );
  return matches && Boolean(passwordHash) && password.length <= MAX_PASSWORD_LENGTH;
}

const queueHash = <T>(caller: Caller | undefined, work: () => Promise<T>): Promise<T> =>
  caller === undefined
    ? work()
    : caller.queues.hashes(toClientNetwork(caller.clientAddress ?? ''), work, {
        getSignal: caller.getDisconnectSignal,
      });

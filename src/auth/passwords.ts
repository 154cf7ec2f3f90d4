import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../errors.ts';

const SHORTEST = 12;
const LONGEST = 200;
const COMMON = [
  'password',
  'passwort',
  'letmein',
  'welcome',
  'qwerty',
  'iloveyou',
  'administrator',
  '123456',
];

/** Throws VALIDATION with what to do better. Length is what counts; composition rules only make people write it down. */
export function checkPassword(password: string, email: string): void {
  const refuse = (message: string) => {
    throw new DomainError('VALIDATION', message, { reason: 'PASSWORD_TOO_WEAK' });
  };
  if (password.length < SHORTEST) {
    refuse(`The password needs at least ${SHORTEST} characters. A few unrelated words do well.`);
  }
  if (password.length > LONGEST) refuse(`The password may have at most ${LONGEST} characters.`);
  if (new Set(password).size < 5) refuse('The password repeats too few characters to be safe.');
  const lower = password.toLowerCase();
  const name = email.toLowerCase().split('@')[0] ?? '';
  if (name.length >= 4 && lower.includes(name))
    refuse('The password must not contain the e-mail address.');
  if (
    COMMON.some(
      (word) => lower.replace(/[\d\W_]+$/, '') === word || lower.replaceAll(word, '').length < 4,
    )
  ) {
    refuse('This password is among the first that are guessed. A few unrelated words do well.');
  }
}

export const hashPassword = (password: string) => hash(password);

let decoy: Promise<string> | undefined;

/** Takes as long for an unknown person as for a known one, so the time tells nothing. */
export async function passwordMatches(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash('nobody has this one');
  const matches = await verify(passwordHash ?? (await decoy), password.slice(0, LONGEST));
  return matches && Boolean(passwordHash) && password.length <= LONGEST;
}

import { randomInt } from 'node:crypto';

// No vowels, so that codes spell no words, and no characters that people confuse.
export const CODE_ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';

/** Generates a code that people can read out and that fits in a QR code. */
export const generateCode = (length: number) => pickRandomCharacters(CODE_ALPHABET, length);

/** A scanner that types as a keyboard with another layout swaps Y and Z. Generated codes have no Y, so a Y can only mean Z. */
export const undoKeyboardSwap = (code: string): string => code.replaceAll('Y', 'Z');

/** Returns a code as it was typed, first because imported codes can have any letters, and as a keyboard with another layout means it. */
export const toPossibleCodes = (code: string): string[] => [
  ...new Set([code, undoKeyboardSwap(code)]),
];

const CONSONANT_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';

/** Generates a code that a screen shows and people type on any keyboard. */
export const generateConsonantCode = (length: number) =>
  pickRandomCharacters(CONSONANT_ALPHABET, length);

const pickRandomCharacters = (letters: string, length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

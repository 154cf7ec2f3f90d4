import { randomInt } from 'node:crypto';

// No vowels, so that no words come about, and nothing that is misread aloud or on paper.
export const CODE_ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';

/** For people to read out and for QR codes to say. */
export const generateCode = (length: number) => drawCharacters(CODE_ALPHABET, length);

const CONSONANT_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';

/** For a screen to show and for people to type in by any keyboard. */
export const generateConsonantCode = (length: number) => drawCharacters(CONSONANT_ALPHABET, length);

const drawCharacters = (letters: string, length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

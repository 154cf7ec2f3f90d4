import { randomInt } from 'node:crypto';

// No vowels, so that no words come about, and nothing that is misread aloud or on paper.
export const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';

/** For people to read out and for QR codes to say. */
export const randomCode = (length: number) => drawn(ALPHABET, length);

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ';

/** For a screen to show and for people to type in by any keyboard. */
export const randomConsonants = (length: number) => drawn(CONSONANTS, length);

const drawn = (letters: string, length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

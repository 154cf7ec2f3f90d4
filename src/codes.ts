import { randomInt } from 'node:crypto';

// No vowels, so that no words come about, and nothing that is misread aloud or on paper.
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';

/** For people to read out and for QR codes to say. */
export const randomCode = (length: number) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

import { randomInt } from 'node:crypto';

// No vowels, so that no words come about, and nothing that is misread aloud or on paper.
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ';
const LENGTH = 10;

/** What a member's QR code says. */
export const memberCode = () =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

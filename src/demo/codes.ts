import { hash } from 'node:crypto';
import { ALPHABET } from '../codes.ts';

/** The same code for the same thing every time, of the same signs as everybody's. */
export const codeOf = (of: string, length: number) =>
  Array.from(
    hash('sha256', of, 'buffer').subarray(0, length),
    (byte) => ALPHABET[byte % ALPHABET.length],
  ).join('');

import { hash } from 'node:crypto';
import { CODE_ALPHABET } from '../core/ids.ts';

export type SeededRandom = {
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
};

/** Creates a random generator (mulberry32) that always returns the same sequence, so the sample data is always the same. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability) => next() < probability,
    pick: <T>(choices: readonly T[]) => choices[Math.floor(next() * choices.length)] as T,
  };
}

/** Derives a code from a text, in the alphabet of all codes. The same text always gives the same code. */
export const deriveCode = (text: string, length: number) =>
  Array.from(
    hash('sha256', text, 'buffer').subarray(0, length),
    (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length],
  ).join('');

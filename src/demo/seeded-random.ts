import { hash } from 'node:crypto';
import { CODE_ALPHABET } from '../core/ids.ts';

export type SeededRandom = {
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
};

/** The same throws in the same order every time (mulberry32), so the demo space never changes. */
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

/** The same code for the same thing every time, of the same signs as everybody's. */
export const deriveCode = (of: string, length: number) =>
  Array.from(
    hash('sha256', of, 'buffer').subarray(0, length),
    (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length],
  ).join('');

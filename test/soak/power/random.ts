/** Creates random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): { random: () => number } {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return { random };
}

import { countGuess, toPasswordGuess } from '../../src/auth/guesses.ts';
import type { RateLimit } from '../../src/auth/rate-limits.ts';
import { DomainError } from '../../src/errors.ts';

describe('a guess at a password', () => {
  it.each([
    ['WRONG_PASSWORD', 'stays counted', 1],
    ['UNAVAILABLE', 'stays counted', 1],
    ['PASSWORD_TOO_WEAK', 'clears the limit, since the current password was right', 0],
    [undefined, 'clears the limit', 0],
  ] as const)('that ends with %s %s', async (reason, _, remaining) => {
    let count = 0;
    const limit = {
      consume: async () => {
        count += 1;
      },
      reset: async () => {
        count = 0;
      },
    } as Partial<RateLimit> as RateLimit;
    const work = async () => {
      if (reason) throw new DomainError('VALIDATION', 'rejected', { reason, fields: [] });
    };
    await countGuess(toPasswordGuess(limit, { account: 'a' }), work).catch(() => undefined);
    expect(count).toBe(remaining);
  });
});

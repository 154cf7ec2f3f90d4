import type pg from 'pg';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors.ts';

/** Slows guessing down, counted in the database so that it holds across instances. */
export interface Throttle {
  /** Counts one attempt. Throws RATE_LIMITED once there have been too many. */
  attempt(keys: { address: string; email: string }): Promise<void>;
  /** After a success: the account begins anew, and the attempt does not count against the address. */
  forgive(keys: { address: string; email: string }): Promise<void>;
}

const PER_ACCOUNT = { points: 10, duration: 15 * 60 };
const PER_ADDRESS = { points: 50, duration: 15 * 60 };

export function signInThrottle(pool: pg.Pool): Throttle {
  const limiter = (keyPrefix: string, limit: { points: number; duration: number }) =>
    new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      ...limit,
    });
  const accounts = limiter('sign-in-account', PER_ACCOUNT);
  const addresses = limiter('sign-in-address', PER_ADDRESS);
  return {
    attempt: async ({ address, email }) => {
      await consume(addresses, address);
      await consume(accounts, email.slice(0, 200));
    },
    forgive: async ({ address, email }) => {
      await accounts.delete(email.slice(0, 200));
      await addresses.reward(address);
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const retryAfterSeconds = Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000);
    throw new DomainError(
      'RATE_LIMITED',
      `Too many attempts. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
      { reason: 'TOO_MANY_ATTEMPTS', retryAfterSeconds },
    );
  }
}

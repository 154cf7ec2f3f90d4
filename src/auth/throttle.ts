import type pg from 'pg';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors.ts';

interface Keys {
  address: string;
  email: string;
}

/** Slows guessing down, counted in the database so that it holds across instances. */
export interface Throttle {
  /** Counts one attempt. Throws RATE_LIMITED once there have been too many. */
  attempt(keys: Keys): Promise<void>;
  /** After a success: nothing that this address did to this account counts any longer. */
  forgive(keys: Keys): Promise<void>;
}

/** For what anybody may write, whoever they say they are. */
interface AddressThrottle {
  /** Counts one attempt. Throws RATE_LIMITED once there have been too many. */
  attempt(keys: Pick<Keys, 'address'>): Promise<void>;
}

/**
 * What the doors pass to what they throttle. Each counts on a connection of its own, so none is asked within a
 * transaction: the embedded database would wait for itself.
 */
export interface Throttles {
  throttle: Throttle;
  linkThrottle: Throttle;
  orderThrottle: Throttle;
  waitlistThrottle: Throttle;
  publicWriteThrottle: AddressThrottle;
}

const QUARTER_HOUR = 15 * 60;

/**
 * Few guesses at an account from one address, more from one address at many accounts. An account as a whole
 * bears many more, so that a stranger cannot easily lock its owner out, and yet few enough for a password to hold.
 */
const signInThrottle = (pool: pg.Pool): Throttle =>
  throttle(pool, { name: 'sign-in', pair: 10, address: 50, account: 200 });

/** Each passes a mail on: an account bears so few because they land in somebody's mailbox, whoever asks for them. */
const signInLinkThrottle = (pool: pg.Pool): Throttle =>
  throttle(pool, { name: 'sign-in-link', pair: 5, address: 30, account: 10 });

/** As links to sign in: the links to a buyer's orders land in the same mailboxes. */
const orderThrottle = (pool: pg.Pool): Throttle =>
  throttle(pool, { name: 'order-find', pair: 5, address: 30, account: 10 });

/** Its mails go to whatever address is named. */
const waitlistThrottle = (pool: pg.Pool): Throttle =>
  throttle(pool, { name: 'waitlist', pair: 5, address: 100, account: 20 });

/** Many people may share an address; this stops programs. */
const publicWriteThrottle = (pool: pg.Pool): AddressThrottle => {
  const addresses = limiter(pool, 'public-write', 600);
  return { attempt: ({ address }) => consume(addresses, address) };
};

export const throttlesOn = (pool: pg.Pool): Throttles => ({
  throttle: signInThrottle(pool),
  linkThrottle: signInLinkThrottle(pool),
  orderThrottle: orderThrottle(pool),
  waitlistThrottle: waitlistThrottle(pool),
  publicWriteThrottle: publicWriteThrottle(pool),
});

/** How often in a quarter of an hour. */
interface Limits {
  name: string;
  pair: number;
  address: number;
  account: number;
}

function throttle(pool: pg.Pool, { name, ...points }: Limits): Throttle {
  const pairs = limiter(pool, `${name}-pair`, points.pair);
  const addresses = limiter(pool, `${name}-address`, points.address);
  const accounts = limiter(pool, `${name}-account`, points.account);
  const pair = ({ address, email }: Keys) => `${address} ${accountOf(email)}`;

  return {
    attempt: async (keys) => {
      await consume(pairs, pair(keys));
      await consume(addresses, keys.address);
      await consume(accounts, accountOf(keys.email));
    },
    forgive: async (keys) => {
      await pairs.delete(pair(keys));
      await addresses.reward(keys.address);
      await accounts.reward(accountOf(keys.email));
    },
  };
}

const limiter = (pool: pg.Pool, keyPrefix: string, points: number) =>
  new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration: QUARTER_HOUR,
  });

/** However it is written, and as much of it as a key may hold. */
const accountOf = (email: string) => email.trim().toLowerCase().slice(0, 150);

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

import type pg from 'pg';
import type { Logger } from 'pino';
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

/** For what anybody may ask at a place, wherever they ask from. */
interface PlaceThrottle {
  /**
   * Counts one attempt. Throws RATE_LIMITED once there have been too many from the address, or at the place. A kiosk, whose
   * name stands for its address, is counted by itself, and nowhere else.
   */
  attempt(keys: { address: string; locationId: string; isKiosk: boolean }): Promise<void>;
}

/** For guesses: only those that miss are counted. */
interface MissThrottle {
  /** Throws RATE_LIMITED once this address has missed too often. */
  attempt(keys: Pick<Keys, 'address'>): Promise<void>;
  /** Counts one miss. Nobody waits for it, so that it may be told within a transaction; it never throws. */
  missed(keys: Pick<Keys, 'address'>): void;
}

/** For guesses that may come all at once: each counts from the moment at which it is asked, until it is known. */
export interface GuessThrottle {
  /** Takes a place. Throws RATE_LIMITED once there were too many misses, or too many are under way. */
  attempt(keys: Pick<Keys, 'address'>): Promise<void>;
  /** What became of it. Nobody waits for it, so that it may be told within a transaction; it never throws. */
  settled(keys: Pick<Keys, 'address'>, outcome: { isMiss: boolean }): void;
}

/**
 * What the doors pass to what they throttle. Each counts on a connection of its own, so none is asked within a
 * transaction: the embedded database would wait for itself.
 */
export interface Throttles {
  /** For names and addresses that are looked up at a kiosk. */
  lookupThrottle: PlaceThrottle;
  /** For what is presented at a kiosk: those who come are many, codes that lead nowhere must be few. */
  checkInThrottle: GuessThrottle;
  /** For screens that ask to be paired. */
  pairingThrottle: AddressThrottle;
  /** For pairing codes that staff types in. */
  pairingMisses: MissThrottle;
  throttle: Throttle;
  linkThrottle: Throttle;
  orderThrottle: Throttle;
  waitlistThrottle: Throttle;
  publicWriteThrottle: AddressThrottle;
}

const QUARTER_HOUR = 15 * 60;
const DAY = 24 * 60 * 60;

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

/**
 * Somebody looks for a name a few times; a morning at a kiosk is some hundreds. By the day it is so few that names can
 * hardly be spelt out letter by letter, which costs dozens of questions each.
 */
const lookupThrottle = (pool: pg.Pool): PlaceThrottle => {
  const addresses = limiter(pool, 'lookup-address', 300);
  const places = limiter(pool, 'lookup-place', 900);
  const addressesInADay = limiter(pool, 'lookup-address-day', 1_200, DAY);
  const placesInADay = limiter(pool, 'lookup-place-day', 3_600, DAY);
  // One guest after the other: a lookup every three seconds, and as many in a day as a place has.
  const kiosks = limiter(pool, 'lookup-kiosk', 300);
  const kiosksInADay = limiter(pool, 'lookup-kiosk-day', 3_600, DAY);
  return {
    attempt: async ({ address, locationId, isKiosk }) => {
      if (isKiosk) {
        await consume(kiosks, address);
        return consume(kiosksInADay, address);
      }
      await consume(addresses, address);
      await consume(places, locationId);
      await consume(addressesInADay, address);
      await consume(placesInADay, locationId);
    },
  };
};

/** A wall of screens is switched on behind one address. */
const pairingThrottle = (pool: pg.Pool): AddressThrottle => {
  const addresses = limiter(pool, 'pairing', 60);
  return { attempt: ({ address }) => consume(addresses, address) };
};

function missThrottle(pool: pg.Pool, log: Logger, name: string, misses: number): MissThrottle {
  const addresses = limiter(pool, name, misses);
  return {
    attempt: async ({ address }) => {
      const known = await addresses.get(address);
      if (known !== null && known.consumedPoints >= misses) throw tooMany(known.msBeforeNext);
    },
    missed: ({ address }) => {
      addresses
        .penalty(address)
        .catch((error) => log.warn({ err: error }, 'a miss was not counted'));
    },
  };
}

/**
 * Kiosks share addresses, and whole audiences come at once: so many may be under way, and half as many may miss. Nobody
 * guesses one of 27^10 codes like that.
 */
const CHECK_INS = { places: 600, ofMiss: 2, presented: 3_000 };

function checkInThrottle(pool: pg.Pool, log: Logger): GuessThrottle {
  const places = limiter(pool, 'check-in', CHECK_INS.places);
  const presented = limiter(pool, 'check-in-presented', CHECK_INS.presented);
  const unwaited = (done: Promise<unknown>) =>
    void done.catch((error) => log.warn({ err: error }, 'an attempt to check in was not counted'));
  return {
    attempt: async ({ address }) => {
      await consume(presented, address);
      try {
        await consume(places, address);
      } catch (refusal) {
        // It was counted, and is not under way.
        if (refusal instanceof DomainError) unwaited(places.reward(address));
        throw refusal;
      }
    },
    settled: ({ address }, { isMiss }) =>
      unwaited(isMiss ? places.penalty(address, CHECK_INS.ofMiss - 1) : places.reward(address)),
  };
}

export const throttlesOn = (pool: pg.Pool, log: Logger): Throttles => ({
  lookupThrottle: lookupThrottle(pool),
  checkInThrottle: checkInThrottle(pool, log),
  pairingThrottle: pairingThrottle(pool),
  pairingMisses: missThrottle(pool, log, 'pairing-miss', 10),
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

const limiter = (pool: pg.Pool, keyPrefix: string, points: number, duration = QUARTER_HOUR) =>
  new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix,
    points,
    duration,
  });

/** However it is written, and as much of it as a key may hold. */
const accountOf = (email: string) => email.trim().toLowerCase().slice(0, 150);

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw tooMany((refusal as RateLimiterRes).msBeforeNext);
  }
}

function tooMany(msBeforeNext: number): DomainError {
  const retryAfterSeconds = Math.ceil(msBeforeNext / 1000);
  return new DomainError(
    'RATE_LIMITED',
    `Too many attempts. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`,
    { reason: 'TOO_MANY_ATTEMPTS', retryAfterSeconds },
  );
}

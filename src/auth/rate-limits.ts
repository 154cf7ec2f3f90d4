import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { toClientNetwork } from '../core/client-ip.ts';
import type { Sql } from '../db/prepared-statement.ts';
import { DomainError } from '../errors.ts';
import {
  type CounterChange,
  createBlockList,
  createRateLimitCounters,
  type RateLimitCounters,
} from './rate-limit-counters.ts';
import {
  ALL_LIMITS,
  MISS_LIMITS,
  type MissLimitName,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitRule,
} from './rate-limit-rules.ts';
import { hashSecret } from './tokens.ts';
import type { Viewer } from './viewer.ts';

/** The keys by which a request is counted. A rule does not apply if its key is absent. */
export interface RateLimitKeys {
  /** From `findClientAddress`. */
  address?: string | undefined;
  /** The email address, or another identifier of the account. */
  account?: string | undefined;
  /** A browser that has signed in to the account before, from `findKnownBrowser`. */
  browser?: string | undefined;
  locationId?: string | undefined;
  /** The caller of an authenticated request. */
  caller?: string | undefined;
}

/**
 * Counts requests or misses. It uses its own connection, so never await it within a transaction: the embedded database has
 * one connection and would deadlock.
 */
export interface RateLimit {
  /**
   * Counts one request. Until `resolve` it also counts as a possible miss, so that a burst of guesses cannot pass before
   * the first one is known to be a miss. A rejected request is refunded immediately.
   * @throws RATE_LIMITED after too many requests.
   */
  consume(keys: RateLimitKeys): Promise<void>;
  /** Reports whether a request was a miss. It does not block or throw, so it can be called within a transaction. */
  resolve(keys: RateLimitKeys, outcome: { isMiss: boolean }): void;
  /** Call it after a success: clears the counters marked `isClearedBySuccess` and refunds one request to the others. */
  reset(keys: RateLimitKeys): Promise<void>;
}

/**
 * Counts only misses, for secrets that cannot be guessed. A hit costs no statement, and neither does a client that this
 * process has already blocked.
 */
interface MissLimit {
  /** Whether this process currently blocks no client. */
  isOpenToAll(): boolean;
  /** @throws RATE_LIMITED if this process has blocked one of the keys. */
  assertOpen(keys: RateLimitKeys): void;
  /** @throws RATE_LIMITED if this miss exceeds the limit. */
  recordMiss(keys: RateLimitKeys, secret?: string): Promise<void>;
  /** Records that the secret was valid. This grants nothing: the secret is still checked every time. */
  recordHit(secret: string): void;
  isRecentHit(secret: string): boolean;
}

/** The limits by the names of their rules. */
export type RateLimits = Record<RateLimitName, RateLimit> & Record<MissLimitName, MissLimit>;

/** `onReject` is called with the name of the limit for each rejected request. */
export function createRateLimits(
  sql: Sql,
  now: () => Date,
  log: Logger,
  onReject: (name: RateLimitName | MissLimitName) => void = () => {},
): RateLimits {
  const counters = createRateLimitCounters(sql, now);
  const toRejection = (name: RateLimitName | MissLimitName) => (waitMs: number) => {
    onReject(name);
    return tooManyAttempts(waitMs);
  };
  return {
    ...createByName(RATE_LIMITS, (name) => createRateLimit(counters, log, name, toRejection(name))),
    ...createByName(MISS_LIMITS, (name) => createMissLimit(counters, name, toRejection(name))),
  };
}

/** Counts the rejection and returns its error. */
type Reject = (waitMs: number) => DomainError;

const createByName = <Name extends string, Limit>(
  rules: Record<Name, unknown>,
  create: (name: Name) => Limit,
) =>
  Object.fromEntries((Object.keys(rules) as Name[]).map((name) => [name, create(name)])) as Record<
    Name,
    Limit
  >;

/** Counters of misses can fall, so this process rechecks a blocked one after this time. */
const RECHECK_INTERVAL_MS = 2_000;
/** Exceeds the value of any counter. */
const MAX_POINTS = 1_000_000;

interface Charge {
  rule: RateLimitRule;
  key: string;
}

function createRateLimit(
  counters: RateLimitCounters,
  log: Logger,
  name: RateLimitName,
  reject: Reject,
): RateLimit {
  const blocks = createBlockList(counters.now);

  const add = ({ rule, key }: Charge, points: number) => {
    if (points < 0) blocks.unblock(key);
    return counters.add({ key, points, windowSeconds: rule.windowSeconds });
  };
  const addWithoutWaiting = (charge: Charge, points: number) =>
    void add(charge, points).catch((error) =>
      log.warn({ err: error, limit: name }, 'could not update a rate limit'),
    );

  async function consumeOne(charge: Charge): Promise<number | null> {
    const { points, endsAt } = await counters.add(toChange(charge));
    if (points <= charge.rule.max) return null;
    const canFall = charge.rule.counts === 'misses';
    const checkAgainAt = canFall ? counters.now() + RECHECK_INTERVAL_MS : endsAt;
    blocks.block(charge.key, endsAt, checkAgainAt);
    return endsAt;
  }

  return {
    consume: async (keys) => {
      const charges = toCharges(name, keys);
      assertOpen(blocks, charges, counters.now(), reject);
      const blockedUntil = await Promise.all(charges.map(consumeOne));
      const latest = Math.max(0, ...blockedUntil.map((endsAt) => endsAt ?? 0));
      if (latest === 0) return;
      // `add` would unblock the counter.
      await Promise.all(charges.map((charge) => counters.add({ ...toChange(charge), points: -1 })));
      throw reject(latest - counters.now());
    },
    resolve: (keys, { isMiss }) => {
      for (const charge of toCharges(name, keys)) {
        const { counts, pointsPerMiss = 1 } = charge.rule;
        if (counts !== 'misses') continue;
        const points = isMiss ? pointsPerMiss - 1 : -1;
        if (points !== 0) addWithoutWaiting(charge, points);
      }
    },
    reset: async (keys) => {
      await Promise.all(
        toCharges(name, keys).map((charge) =>
          add(charge, charge.rule.isClearedBySuccess ? -MAX_POINTS : -1),
        ),
      );
    },
  };
}

const MAX_RECENT_HITS = 100_000;

/** Identifies a secret, but is not enough to use it. */
const toTail = (secret: string) => secret.slice(-16);

function createMissLimit(
  counters: RateLimitCounters,
  name: MissLimitName,
  reject: Reject,
): MissLimit {
  const blocks = createBlockList(counters.now);
  const recentHits = new LRUCache<string, true>({
    maxSize: MAX_RECENT_HITS,
    sizeCalculation: () => 1,
  });
  return {
    recordHit: (secret) => void recentHits.set(toTail(secret), true),
    isRecentHit: (secret) => recentHits.has(toTail(secret)),
    isOpenToAll: () => blocks.isEmpty,
    assertOpen: (keys) => {
      if (!blocks.isEmpty) assertOpen(blocks, toCharges(name, keys), counters.now(), reject);
    },
    recordMiss: async (keys, secret) => {
      if (secret !== undefined) recentHits.delete(toTail(secret));
      const charges = toCharges(name, keys);
      assertOpen(blocks, charges, counters.now(), reject);
      const states = await Promise.all(charges.map((charge) => counters.add(toChange(charge))));
      for (const [i, { points, endsAt }] of states.entries()) {
        const { rule, key } = charges[i] as Charge;
        if (points > rule.max) blocks.block(key, endsAt);
      }
      assertOpen(blocks, charges, counters.now(), reject);
    },
  };
}

const toChange = ({ rule, key }: Charge): CounterChange => ({
  key,
  points: 1,
  windowSeconds: rule.windowSeconds,
});

function toCharges(name: RateLimitName | MissLimitName, keys: RateLimitKeys): Charge[] {
  return ALL_LIMITS[name].flatMap((rule) => {
    const value = findSubject(rule, keys);
    // The window is part of the key, since one limit can have several windows.
    const key = `${name} ${rule.counts} ${rule.per} ${rule.windowSeconds}s: ${value}`;
    return value === null ? [] : [{ rule, key }];
  });
}

function findSubject(
  { per }: RateLimitRule,
  { address, account, browser, locationId, caller }: RateLimitKeys,
): string | null {
  switch (per) {
    case 'address':
      return address ?? null;
    case 'network':
      return address === undefined ? null : toClientNetwork(address);
    case 'account':
      return account === undefined ? null : hashAccount(account);
    case 'address and account':
      return address === undefined || account === undefined
        ? null
        : `${address} ${hashAccount(account)}`;
    case 'browser':
      return browser ?? null;
    case 'location':
      return locationId?.toLowerCase() ?? null;
    case 'caller':
      return caller ?? null;
  }
}

/** Hashes an account, ignoring case and surrounding spaces, so that the table stores no email addresses. */
const hashAccount = (account: string) =>
  Buffer.from(hashSecret(account.trim().toLowerCase())).toString('base64url');

function assertOpen(
  blocks: ReturnType<typeof createBlockList>,
  charges: Charge[],
  now: number,
  reject: Reject,
): void {
  const latest = Math.max(0, ...charges.map(({ key }) => blocks.find(key) ?? 0));
  if (latest > 0) throw reject(latest - now);
}

function tooManyAttempts(waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new DomainError(
    'RATE_LIMITED',
    `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { reason: 'TOO_MANY_ATTEMPTS', retryAfterSeconds },
  );
}

/** Limits the keys of anonymous callers, since each success stores a row. @throws RATE_LIMITED */
export async function limitKeyedWrites(
  { rateLimits }: { rateLimits: RateLimits },
  viewer: Viewer,
  key: string | undefined,
  address: string,
): Promise<void> {
  if (key !== undefined && viewer.kind === 'anonymous')
    await rateLimits.keyedWrites.consume({ address });
}

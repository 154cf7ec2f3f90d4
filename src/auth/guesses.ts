import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../errors.ts';
import type { RateLimit, RateLimitKeys, RateLimits } from './rate-limits.ts';
import { isWellFormedSecret, type SecretKind } from './tokens.ts';

/** How a guess ended: right, wrong, or without an answer because the request failed for another reason. */
type GuessOutcome = 'match' | 'miss' | 'error';

/** How to count a request that might be a guess at a code or secret. */
export interface Guess<Result = unknown> {
  /** @throws RATE_LIMITED */
  before(): Promise<void> | void;
  /** @throws RATE_LIMITED */
  after(outcome: GuessOutcome): Promise<void> | void;
  /** What an error says about the guess. */
  toErrorOutcome(error: unknown): GuessOutcome;
  /** Whether a request without an error was a miss. By default none is. `result` is what the API returns. */
  isMissResult?(result: Result): boolean;
}

/**
 * Runs the work of a request and counts it as a guess. Call it outside transactions, so that the outcome is known after the
 * last retry. `toResult` reads from the value of the work what `isMissResult` expects.
 */
export async function countGuess<T>(
  guess: Guess | null,
  work: () => Promise<T>,
  toResult: (value: T) => unknown = (value) => value,
): Promise<T> {
  if (guess === null) return work();
  await guess.before();
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await guess.after(guess.toErrorOutcome(error));
    throw error;
  }
  await guess.after(guess.isMissResult?.(toResult(result)) ? 'miss' : 'match');
  return result;
}

/** Ends no earlier than after this time, also with an error, so that the response time does not reveal what the work has found. */
export async function takeAtLeast<T>(ms: number | undefined, work: () => Promise<T>): Promise<T> {
  if (ms === undefined) return work();
  const [result] = await Promise.allSettled([work(), setTimeout(ms)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** A guess at a short code, which counts as soon as it arrives. */
export const toCodeGuess = (
  limit: RateLimit,
  keys: RateLimitKeys,
  isMiss: (error: unknown) => boolean = isNotFound,
): Guess => ({
  before: () => limit.consume(keys),
  after: (outcome) => limit.resolve(keys, { isMiss: outcome === 'miss' }),
  toErrorOutcome: (error) => (isMiss(error) ? 'miss' : 'error'),
});

/** A guess at a password. Only the right password clears the limit, so that other errors do not give more attempts. */
export const toPasswordGuess = (limit: RateLimit, keys: RateLimitKeys): Guess => ({
  before: () => limit.consume(keys),
  after: (outcome) => (outcome === 'match' ? limit.reset(keys) : undefined),
  toErrorOutcome: (error) => {
    if (hasReason('WRONG_PASSWORD')(error)) return 'miss';
    // The strength of a new password is checked after the current one.
    return hasReason('PASSWORD_TOO_WEAK')(error) ? 'match' : 'error';
  },
});

/** A guess at a secret with a checksum. A mistyped secret costs no query and does not count. */
export const toSecretGuess = (
  { secrets }: Pick<RateLimits, 'secrets'>,
  address: string,
  kind: SecretKind,
  secret: string,
): Guess | null =>
  isWellFormedSecret(kind, secret)
    ? {
        before: () => secrets.assertOpen({ address }),
        after: (outcome) => (outcome === 'miss' ? secrets.recordMiss({ address }) : undefined),
        toErrorOutcome: (error) => (isNotFound(error) ? 'miss' : 'error'),
      }
    : null;

const isNotFound = (error: unknown) =>
  error instanceof DomainError &&
  (error.code === 'NOT_FOUND' || error.details.reason === 'LINK_INVALID');

export const hasReason = (reason: string) => (error: unknown) =>
  error instanceof DomainError && error.details.reason === reason;

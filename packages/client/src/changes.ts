import { waitAfterFailure, waitUnlessAborted } from './following.ts';
import type { components } from './generated/rest-types.ts';
import type { Rest } from './rest.ts';
import type { Transport } from './transport.ts';

/** The default of `interval`. */
const INTERVAL_MS = 5_000;
/** The most changes that one request returns. */
const MAX_LIMIT = 100;

/** One entry of the journal. */
export type Change = components['schemas']['Change'];

/** The next changes, and where the journal continues after them. */
export interface ChangeBatch {
  /** Oldest first. Empty if all that happened has other types. */
  changes: Change[];
  /** Store it once you have processed the changes. It is the `after` of your next start. */
  cursor: number;
}

export interface ChangesOptions {
  /**
   * The cursor that you have stored. Null or nothing begins with the oldest change, and `latest` with the next one: the first batch is
   * then empty and has only a cursor.
   */
  after?: number | 'latest' | null | undefined;
  /** Types such as `booking.created`, or `booking.*` for all of a noun. By default, all that the token can read. */
  types?: readonly string[];
  /** The most changes of a batch. 100 by default. */
  limit?: number;
  /** Milliseconds between two requests while nothing happens. 5,000 by default. Null ends the loop instead. */
  interval?: number | null;
  /** Ends the loop. */
  signal?: AbortSignal;
}

/**
 * Iterates over the changes in order, and goes on for as long as the loop runs. A batch is fetched when the loop has processed the
 * previous one. Failures that pass, such as a restart of the service, are waited for.
 * @throws FoyerError with the reason CURSOR_EXPIRED, UNAUTHENTICATED, MISSING_SCOPE or another that a repetition would not change
 */
export type FollowChanges = (options?: ChangesOptions) => AsyncGenerator<ChangeBatch, void>;

export const createChanges = (transport: Transport, rest: Rest): FollowChanges =>
  async function* changes({
    after,
    types,
    limit = MAX_LIMIT,
    interval = INTERVAL_MS,
    signal,
  } = {}) {
    const given = { limit, ...(types && { types: types.join(',') }) };
    const options = signal ? { signal } : {};
    let cursor = after ?? 0;
    let failures = 0;
    while (!signal?.aborted) {
      const page = await rest
        .listChanges({ ...given, cursor: String(cursor) }, options)
        .catch(async (error: unknown) => {
          if (!signal?.aborted) await waitAfterFailure(transport, error, failures, signal);
        });
      failures = page ? 0 : failures + 1;
      if (!page) continue;
      const next = page.pagination.next_cursor;
      if (next !== cursor) {
        cursor = next;
        yield { changes: page.changes, cursor };
      } else if (interval === null) return;
      // Readers that started together do not stay together.
      else await waitUnlessAborted(transport, interval * (0.9 + 0.2 * Math.random()), signal);
    }
  };

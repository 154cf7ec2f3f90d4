import { getText, type TypedDocument } from './documents.ts';
import {
  type Envelope,
  type GraphqlBody,
  parseJson,
  toGraphqlError,
  toRestError,
  toUnexpectedError,
} from './error-responses.ts';
import { readEvents } from './event-stream.ts';
import { waitAfterFailure, waitUnlessAborted } from './following.ts';
import type { Rest } from './rest.ts';
import type { Transport } from './transport.ts';
import { toBackoff } from './waiting.ts';

/** The service sends something every twelve seconds. A connection that is silent for longer than this is broken. */
const MAX_SILENCE_MS = 40_000;
/** After a connection this long, the wait begins again with its minimum, even without events. */
const STABLE_AFTER_MS = 30_000;

export interface SubscribeOptions {
  /** Ends the loop. */
  signal?: AbortSignal;
  /**
   * Called when the stream is open again after an interruption. Unless the document continues after a position, what happened in
   * between is missing: load again what you show.
   */
  onReconnect?: () => void;
  /** Milliseconds without a sign of life after which the stream is opened again. 40,000 by default. */
  maxSilence?: number;
}

type Arguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: SubscribeOptions]
    : [variables: Variables, options?: SubscribeOptions];

/**
 * Iterates over the events of a subscription, for as long as the loop runs. Opens the stream again after interruptions. If the document
 * passes the variable `$after` to the field `changes` and selects its `position`, it continues where it was: no change since the call
 * is missing, and none comes twice.
 * @throws FoyerError if the service rejects the subscription
 */
export type Subscribe = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  ...given: Arguments<Variables>
) => AsyncGenerator<Result, void>;

type Variables = Record<string, unknown>;

export const createSubscribe = (transport: Transport, rest: Rest): Subscribe => {
  async function* subscribe(
    document: TypedDocument<unknown, never>,
    given: Variables = {},
    options: SubscribeOptions = {},
  ): AsyncGenerator<unknown, void> {
    const { signal, onReconnect } = options;
    const query = getText(document);
    let variables = given;
    let failures = 0;
    let hasOpened = false;
    while (!signal?.aborted) {
      let openedAt: number | null = null;
      const onOpen = () => {
        if (hasOpened) onReconnect?.();
        hasOpened = true;
        openedAt = Date.now();
      };
      try {
        if (/\$after\b/.test(query) && variables.after == null)
          variables = { ...variables, after: await findPosition(rest, signal) };
        for await (const data of readStream(transport, { query, variables }, onOpen, options)) {
          if (signal?.aborted) return;
          failures = 0;
          const position = findPositionOf(data);
          if (position !== null && 'after' in variables)
            variables = { ...variables, after: position };
          yield data;
        }
        await waitUnlessAborted(transport, toBackoff(failures), signal);
      } catch (error) {
        if (signal?.aborted) return;
        await waitAfterFailure(transport, error, failures, signal);
      }
      const wasStable = openedAt !== null && Date.now() - openedAt > STABLE_AFTER_MS;
      failures = wasStable ? 0 : failures + 1;
    }
  }
  return subscribe as Subscribe;
};

/** The position from which on a subscription misses nothing. */
async function findPosition(rest: Rest, signal?: AbortSignal): Promise<number> {
  const { pagination } = await rest.listChanges({ cursor: 'latest' }, signal ? { signal } : {});
  return pagination.next_cursor;
}

/** The position of the change in an event, under any alias. */
function findPositionOf(data: unknown): number | null {
  const [change] = Object.values(data as Record<string, { position?: unknown } | null>);
  return typeof change?.position === 'number' ? change.position : null;
}

/** Opens the stream once, and yields the data of its events until it ends. @throws FoyerError if it breaks or is rejected */
async function* readStream(
  transport: Transport,
  body: { query: string; variables: Variables },
  onOpen: () => void,
  { signal, maxSilence = MAX_SILENCE_MS }: SubscribeOptions,
): AsyncGenerator<unknown, void> {
  const connection = new AbortController();
  const abort = () => connection.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    const response = await transport.send({
      method: 'POST',
      path: '/graphql',
      headers: { accept: 'text/event-stream' },
      body,
      signal: connection.signal,
      repeatable: false,
      streams: true,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.body || !isStream) {
      readData(response, await response.text());
      throw toUnexpectedError(response, '');
    }
    onOpen();
    for await (const { name, data } of readEvents(response.body, maxSilence)) {
      if (name === 'complete') return;
      if (name === 'next') yield readData(response, data);
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    connection.abort();
  }
}

/** @throws FoyerError if the text is not the result of an event */
function readData(response: Response, text: string): unknown {
  const body = parseJson(text) as GraphqlBody | null;
  if (body?.errors?.[0]) throw toGraphqlError(response, body);
  if (!response.ok || !body?.data) throw toRestError(response, body as Envelope | null, text);
  return body.data;
}

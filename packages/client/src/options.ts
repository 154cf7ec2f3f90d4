export interface CallOptions {
  /** Aborts the request, and the waiting before the next attempt. */
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names the write: another request with the same key changes nothing and gets the first response. A random one by default,
   * which covers the attempts of one call. Set it to repeat a write in another process.
   */
  idempotencyKey?: string;
}

/** Creates a random key. Unlike `crypto.randomUUID`, this also works in pages without TLS. */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

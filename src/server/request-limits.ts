/** What all clients share, and how long a request may take to arrive. `docs/operations.md` explains each of them. */
export interface RequestLimits {
  /** Requests in progress. */
  maxRequests: number;
  /** Requests whose body is still arriving. */
  maxArrivingBodies: number;
  /** Bytes of bodies in memory. */
  maxBodyBytes: number;
  maxConnectionsPerAddress: number;
  maxConnectionsPerNetwork: number;
  /** A body must have arrived, or arrive at the minimum rate, from so long after its headers on. */
  bodyGraceMs: number;
  minBodyBytesPerSecond: number;
  /** How long a client may take to read a response. */
  responseTimeoutMs: number;
  /** How often slow clients are looked for. */
  sweepIntervalMs: number;
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  maxRequests: 2_000,
  maxArrivingBodies: 10_000,
  maxBodyBytes: 64_000_000,
  maxConnectionsPerAddress: 2_500,
  maxConnectionsPerNetwork: 10_000,
  bodyGraceMs: 5_000,
  minBodyBytesPerSecond: 1_000,
  responseTimeoutMs: 30_000,
  sweepIntervalMs: 1_000,
};

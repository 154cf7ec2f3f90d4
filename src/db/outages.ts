// Distinguishes outages of the database from errors in a statement. After an outage the same request can succeed, so the
// APIs respond with 503 and `Retry-After`.

/** SQLSTATE classes and codes, see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const OUTAGE_SQLSTATES = [
  /^08/, // connection exceptions
  /^53/, // insufficient resources: disk full, out of memory, too many connections
  /^57P0[1-5]$/, // shut down, crashed, starting up, dropped, idle session ended
  /^25006$/, // read-only: a standby, or a primary that was demoted
  /^3D000$/, // the database does not exist, for example during a restore
  /^58030$/, // a file could not be read or written
];

/** Errors of connections and files. */
const SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
]);

/**
 * Prisma's codes: not reachable (P1001), timed out (P1002, P1008), closed (P1017), no free connection (P2024),
 * too many connections (P2037).
 */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

/** Kinds of Prisma's driver adapter errors. */
const ADAPTER_KINDS = new Set([
  'DatabaseNotReachable',
  'DatabaseDoesNotExist',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Messages of `pg`, its pool and Prisma that come without a code. */
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Unable to start a transaction in the given time',
];

const MAX_DEPTH = 6;

/** Whether this error or one of its causes means that the database is temporarily unusable. */
export function isDatabaseOutage(thrown: unknown, depth = 0): boolean {
  if (typeof thrown !== 'object' || thrown === null || depth > MAX_DEPTH) return false;
  const { code, originalCode, severity, kind, message, cause, meta, errors } = thrown as ErrorLike;
  return (
    [code, originalCode].some(isOutageCode) ||
    severity === 'PANIC' || // the server crashes
    (typeof kind === 'string' && ADAPTER_KINDS.has(kind)) ||
    (typeof message === 'string' && MESSAGES.some((part) => message.includes(part))) ||
    [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : [])].some((inner) =>
      isDatabaseOutage(inner, depth + 1),
    )
  );
}

interface ErrorLike {
  code?: unknown;
  originalCode?: unknown;
  severity?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
  /** The errors of an AggregateError, one for each address of a host. */
  errors?: unknown;
}

const isOutageCode = (code: unknown): boolean =>
  typeof code === 'string' &&
  (SYSTEM_ERRORS.has(code) ||
    PRISMA_CODES.has(code) ||
    OUTAGE_SQLSTATES.some((pattern) => pattern.test(code)));

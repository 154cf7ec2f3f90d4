import type { ErrorReason } from './core/error-reasons.ts';
import { isDatabaseOutage } from './db/outages.ts';

/** Few codes, many reasons. What a code means to HTTP or GraphQL is the doors' business. */
export const ERROR_CODES = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'VALIDATION',
  'CONFLICT',
  'RATE_LIMITED',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Why, for programs; the message says it to people. More details may stand beside it. */
export interface ErrorDetails {
  reason: ErrorReason;
  retryAfterSeconds?: number;
  [detail: string]: unknown;
}

/** A failure that a caller may see: its message is written for a person. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Somebody was faster while this was being decided. `inTransaction` decides anew; told once that fails again and again. */
export class RetryableConflict extends DomainError {
  constructor(
    details: Partial<ErrorDetails> = {},
    message = 'Others are booking here at this very moment. Try again.',
  ) {
    super('CONFLICT', message, {
      reason: 'SLOT_TAKEN',
      ...details,
    });
  }
}

export const unauthenticated = () =>
  new DomainError('UNAUTHENTICATED', 'Unauthenticated.', { reason: 'UNAUTHENTICATED' });

/** The same words whether the thing is absent or somebody else's. */
export const notFound = (what: string) =>
  new DomainError('NOT_FOUND', `No such ${what}.`, { reason: 'NOT_FOUND' });

export const missingScope = (scope: string) =>
  new DomainError('FORBIDDEN', `This needs the scope ${scope}.`, {
    reason: 'MISSING_SCOPE',
    scope,
  });

/** Not now; the doors say when to come back. */
export const unavailable = (message: string, cause?: unknown, retryAfterSeconds = 2) =>
  new DomainError('INTERNAL', message, { reason: 'UNAVAILABLE', retryAfterSeconds }, { cause });

export const shuttingDown = () => unavailable('The service is restarting. Try again in a moment.');

export const overloaded = (cause?: unknown, retryAfterSeconds?: number) =>
  unavailable(
    'The service is busier than it can bear. Try again in a moment.',
    cause,
    retryAfterSeconds,
  );

const temporarilyUnavailable = (cause: unknown) =>
  unavailable(
    'The service is temporarily unavailable. Nothing is wrong with your request: try again in a moment.',
    cause,
  );

/** Whether it is a failure of now that passes by itself: HTTP answers 503, with `Retry-After`. */
export const isUnavailable = ({ code, details }: DomainError) =>
  code === 'INTERNAL' && details.reason === 'UNAVAILABLE';

/** PostgreSQL keeps every text but one with a NUL in it; no caller means one. */
const nulCharacter = (cause: unknown) =>
  new DomainError(
    'BAD_REQUEST',
    'There is a NUL character in a text.',
    { reason: 'INVALID_INPUT' },
    { cause },
  );

/** Turns whatever was thrown into a DomainError. What it does not know keeps its cause for the log and shows nothing. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  // No connection of the pool became free in time: the database may be well, and the service busy.
  if (hasMessage(thrown, 'timeout exceeded when trying to connect')) return overloaded(thrown);
  if (isDatabaseOutage(thrown)) return temporarilyUnavailable(thrown);
  if (hasMessage(thrown, 'invalid byte sequence for encoding')) return nulCharacter(thrown);
  return new DomainError(
    'INTERNAL',
    'Something went wrong on our side.',
    { reason: 'INTERNAL' },
    { cause: thrown },
  );
}

/** Whether a failure is the caller's to mend; the rest is ours and belongs in the log. */
export const isInternal = (error: DomainError) => error.code === 'INTERNAL';

function hasMessage(thrown: unknown, words: string): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.message.includes(words)) return true;
  }
  return false;
}

/** For the terminal: one line for what a person can mend, the cause besides for what is ours. */
export function formatForTerminal(thrown: unknown): string {
  const error = toDomainError(thrown);
  const { cause } = error;
  if (!isInternal(error) || cause === undefined) return `${error.message}\n`;
  return `${error.message}\n${cause instanceof Error ? cause.stack : String(cause)}\n`;
}

import { redact } from './auth/tokens.ts';
import type { ErrorReason, FieldReason } from './core/error-reasons.ts';
import { isDatabaseOutage } from './db/outages.ts';

/** Few codes, many reasons. Each API maps the codes to its own statuses. */
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

/** An invalid field of an input, such as `items.0.quantity`. Undefined stands for the input as a whole. */
interface FieldError {
  field: string | undefined;
  message: string;
}

/** Some reasons have further details. Reasons about fields name them. */
type Details<Field> = { retryAfterSeconds?: number; [detail: string]: unknown } & (
  | { reason: ErrorReason; fields: readonly Field[] }
  | { reason: Exclude<ErrorReason, FieldReason>; fields?: readonly Field[] }
);

/** The machine-readable part of an error. */
export type ErrorDetails = Details<FieldError>;

/** Fields that share the message of the error need only their names. */
type GivenDetails = Details<FieldError | string>;

/** An error that callers see. Its message is written for people. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: GivenDetails, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = toDetails(message, details);
  }
}

function toDetails(message: string, details: GivenDetails): ErrorDetails {
  const { fields } = details;
  if (fields === undefined) return details as ErrorDetails;
  const toField = (field: FieldError | string) =>
    typeof field === 'string' ? { field, message: removePrefix(message, `${field}: `) } : field;
  return { ...details, fields: fields.map(toField) };
}

const removePrefix = (text: string, prefix: string) =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text;

/** After how many seconds callers should retry what fails for a moment. */
const RETRY_AFTER_SECONDS = 2;

/** Another transaction has changed the data. `runInTransaction` retries; callers get this error only if all retries fail. */
export class RetryableConflict extends DomainError {
  constructor(details: GivenDetails, message: string) {
    super('CONFLICT', message, details);
  }
}

/** Ends work that was still waiting when its caller disconnected. It is no failure of the service, so it is not logged. */
export class CallerDisconnected extends DomainError {
  constructor() {
    const message = 'The caller has disconnected.';
    super('INTERNAL', message, { reason: 'UNAVAILABLE', retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

export const unauthenticated = () =>
  new DomainError('UNAUTHENTICATED', 'Unauthenticated.', { reason: 'UNAUTHENTICATED' });

/** Whatever else was sent as an id or a slug can be long, so it is not repeated. */
const SHORT_ID = /^[\w-]{1,64}$/;

/**
 * Names what is missing, with its id or slug as the caller sent it, if it is given. The error is the same for a missing object and for
 * another person's, so that it does not reveal which ids exist.
 */
export const notFound = (noun: string, id = '') =>
  new DomainError('NOT_FOUND', `No such ${noun}${SHORT_ID.test(id) ? `: ${id}` : ''}.`, {
    reason: 'NOT_FOUND',
  });

export const missingScope = (scope: string) => missingScopes(scope, [scope]);

/** `scope` is what one field needs, `scopes` is everything that the caller lacks for the whole document. */
export const missingScopes = (scope: string, scopes: string[]) =>
  new DomainError(
    'FORBIDDEN',
    `This needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(', ')}.`,
    { reason: 'MISSING_SCOPE', scope, scopes },
  );

/** Creates an error for a temporary failure. The APIs respond with 503 and `Retry-After`. */
export const unavailable = (
  message: string,
  cause?: unknown,
  retryAfterSeconds = RETRY_AFTER_SECONDS,
) => new DomainError('INTERNAL', message, { reason: 'UNAVAILABLE', retryAfterSeconds }, { cause });

export const shuttingDown = () => unavailable('The service is restarting. Try again in a moment.');

export const overloaded = (cause?: unknown, retryAfterSeconds?: number) =>
  unavailable('The service is overloaded. Try again in a moment.', cause, retryAfterSeconds);

const temporarilyUnavailable = (cause: unknown) =>
  unavailable('The service is temporarily unavailable. Try again in a moment.', cause);

/** Whether the failure is temporary, so that the APIs respond with 503 and `Retry-After`. */
export const isUnavailable = ({ code, details }: DomainError) =>
  code === 'INTERNAL' && details.reason === 'UNAVAILABLE';

/** PostgreSQL cannot store NUL characters. */
const nulCharacter = (cause: unknown) =>
  new DomainError(
    'BAD_REQUEST',
    'A text contains a NUL character. Remove it.',
    { reason: 'INVALID_INPUT' },
    { cause },
  );

/** Converts any thrown value to a DomainError. Unknown errors become INTERNAL; their cause is logged but not returned. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  // The pool had no free connection in time. The database can be healthy while the service is overloaded.
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

/** Returns what programs get of an error: its code, its reason and the details, with secrets masked. Both APIs send it. */
export const toErrorDetails = ({ code, details }: DomainError): Record<string, unknown> => ({
  code,
  ...JSON.parse(redact(JSON.stringify(details))),
});

/** Whether the service rather than the caller caused the error. Such errors are logged. */
export const isInternal = (error: DomainError) => error.code === 'INTERNAL';

function hasMessage(thrown: unknown, text: string): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.message.includes(text)) return true;
  }
  return false;
}

/** Formats an error for the terminal: one line for the user's mistakes, plus the cause for internal errors. */
export function formatForTerminal(thrown: unknown): string {
  const error = toDomainError(thrown);
  const { cause } = error;
  if (!isInternal(error) || cause === undefined) return `${error.message}\n`;
  return `${error.message}\n${cause instanceof Error ? cause.stack : String(cause)}\n`;
}

import type { components } from './generated/rest-types.ts';

/** What went wrong, for programs. The documentation of errors lists them. */
export type ErrorReason = components['schemas']['ErrorReason'];

/**
 * The kind of an error. NETWORK: no response, because the service cannot be reached or the connection broke. TIMEOUT: no response
 * in time. UNEXPECTED_RESPONSE: a response that is not from Foyer, such as the page of a proxy. The others come from the service.
 */
export type ErrorCode =
  | components['schemas']['ErrorDetails']['code']
  | 'NETWORK'
  | 'TIMEOUT'
  | 'UNEXPECTED_RESPONSE';

/** A field of the input. Undefined or null stands for the input as a whole. */
export interface FieldError {
  field?: string | null;
  message: string;
}

interface ErrorParts {
  code: ErrorCode;
  message: string;
  reason?: ErrorReason | undefined;
  fields?: readonly FieldError[] | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
  status?: number | undefined;
  requestId?: string | null | undefined;
  retryAfter?: number | null | undefined;
  cause?: unknown;
}

/** Every error of the client, from REST and GraphQL alike. Its message is for people; base decisions on `code` and `reason`. */
export class FoyerError extends Error {
  override readonly name = 'FoyerError';
  readonly code: ErrorCode;
  /** Null if the service gave none, as after a network failure. */
  readonly reason: ErrorReason | null;
  /** The fields of the input that are invalid. */
  readonly fields: readonly FieldError[];
  /** What the service adds to the reason, such as the scopes that are missing. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Names the request in the log of the service. */
  readonly requestId: string | null;
  /** Seconds after which to try again; null if the service gave none. */
  readonly retryAfter: number | null;

  constructor(parts: ErrorParts) {
    super(parts.message, { cause: parts.cause });
    this.code = parts.code;
    this.reason = parts.reason ?? null;
    this.fields = parts.fields ?? [];
    this.details = parts.details ?? {};
    this.status = parts.status ?? 0;
    this.requestId = parts.requestId ?? null;
    this.retryAfter = parts.retryAfter ?? null;
  }
}

/** Whether a thrown value is an error of the client, with the reason or the code if one is given. */
export function isFoyerError(error: unknown): error is FoyerError;
export function isFoyerError<Reason extends ErrorReason>(
  error: unknown,
  reason: Reason,
): error is FoyerError & { readonly reason: Reason };
export function isFoyerError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is FoyerError & { readonly code: Code };
export function isFoyerError(error: unknown, kind?: ErrorReason | ErrorCode): boolean {
  if (!(error instanceof FoyerError)) return false;
  return kind === undefined || error.reason === kind || error.code === kind;
}

export const toConnectionError = (code: 'NETWORK' | 'TIMEOUT', message: string, cause: unknown) =>
  new FoyerError({ code, message, cause });

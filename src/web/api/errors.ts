/** A failure as the panel sees it: the service's own words, or ours when it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export interface ErrorDetails {
  reason?: string;
  retryAfterSeconds?: number;
  fields?: { field?: string; message: string }[];
}

export const createUnreachableError = () =>
  new ApiError('UNREACHABLE', 'The service cannot be reached. Check the connection and try again.');

export const createUnreadableResponseError = (status: number) =>
  new ApiError('INTERNAL', `The service gave an answer that cannot be read (${status}).`);

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError('INTERNAL', 'Something went wrong in this page. Reload it and try again.');
}

/** What carries the same code and means an attempt to sign in, not the end of a session. */
const SIGN_IN_FAILURE_REASONS = ['WRONG_CREDENTIALS', 'LINK_INVALID'];

/** Nobody is signed in any more. */
export const isSessionExpired = (thrown: unknown) =>
  thrown instanceof ApiError &&
  thrown.code === 'UNAUTHENTICATED' &&
  !SIGN_IN_FAILURE_REASONS.includes(thrown.details.reason ?? '');

/** Worth asking again without anybody's help. */
export const isTransient = (thrown: unknown) =>
  thrown instanceof ApiError && (thrown.code === 'UNREACHABLE' || thrown.code === 'INTERNAL');

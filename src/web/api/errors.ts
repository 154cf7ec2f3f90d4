import type { TextKey } from '../../languages/en.ts';
import { getText } from '../language/page-texts.ts';
import { translateReason } from '../language/reason-texts.ts';

/** A failed request. The message comes from the service, if it could be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const translated = translateReason(details.reason, message);
    super(translated);
    this.code = code;
    this.details = replaceFieldMessages(details, message, translated);
  }
}

/** Fields that say the same as the error say it in the same language. */
function replaceFieldMessages(details: ErrorDetails, from: string, to: string): ErrorDetails {
  if (details.fields === undefined || from === to) return details;
  const fields = details.fields.map((field) =>
    field.message === from ? { ...field, message: to } : field,
  );
  return { ...details, fields };
}

export interface ErrorDetails {
  reason?: string;
  retryAfterSeconds?: number;
  fields?: { field?: string; message: string }[];
  /** The version of what someone else has changed. */
  updatedAt?: string;
  /** The columns of a list in which those for name or email address were not recognized. */
  columns?: string[];
}

/** Returns the version of the row if someone else changed it after the form was opened. */
export function findNewVersion(thrown: unknown): string | null {
  if (!(thrown instanceof ApiError) || thrown.details.reason !== 'CHANGED_MEANWHILE') return null;
  return thrown.details.updatedAt ?? null;
}

export const createUnreachableError = () =>
  new ApiError('UNREACHABLE', getText('error.unreachable'));

export const createUnreadableResponseError = (status: number) =>
  new ApiError('INTERNAL', getText('error.unreadable', { status }));

export const createOutdatedPageError = (code: string, details: ErrorDetails) =>
  new ApiError(code, getText('error.outdated'), details);

/** Whether the service does not know the id of a document, so it has executed nothing. */
export const isUnknownDocument = (thrown: unknown) =>
  thrown instanceof ApiError && thrown.details.reason === 'DOCUMENT_NOT_FOUND';

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError('INTERNAL', getText('error.page'));
}

const ERROR_TITLES = {
  UNREACHABLE: 'error.title.UNREACHABLE',
  UNAUTHENTICATED: 'error.title.UNAUTHENTICATED',
  FORBIDDEN: 'error.title.FORBIDDEN',
  NOT_FOUND: 'error.title.NOT_FOUND',
  VALIDATION: 'error.title.VALIDATION',
  CONFLICT: 'error.title.CONFLICT',
  RATE_LIMITED: 'error.title.RATE_LIMITED',
} as const satisfies Record<string, TextKey>;

/** Reasons whose code alone would mislead. */
const REASON_TITLES = {
  SETUP_CODE: 'error.title.SETUP_CODE',
} as const satisfies Record<string, TextKey>;

export const getErrorTitle = ({ code, details: { reason = '' } }: ApiError) =>
  getText(
    REASON_TITLES[reason as keyof typeof REASON_TITLES] ??
      ERROR_TITLES[code as keyof typeof ERROR_TITLES] ??
      'page.crash',
  );

/** Says what is wrong. Fields have the labels of the form, which `findLabel` finds by their paths. */
export function formatErrorText(
  { message, details: { fields = [] } }: ApiError,
  findLabel: (path: string) => string | undefined,
): string {
  if (fields.every((field) => field.message === message)) return message;
  return fields.map(({ field, message }) => formatFieldError(field, message, findLabel)).join(' ');
}

function formatFieldError(
  field: string | undefined,
  message: string,
  findLabel: (path: string) => string | undefined,
): string {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  if (!field) return sentence;
  const label = toFieldPaths(field).map(findLabel).find(Boolean) ?? toWords(field);
  return message.startsWith('must ') ? `${label} ${sentence}` : `${label}: ${sentence}`;
}

/** The paths that a form can have for a field: the whole path in its input, then those of the objects around it. */
export function toFieldPaths(field: string): string[] {
  const parts = field.replace(/^input\./, '').split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}

/** "buyer.firstName" becomes "First name". */
function toWords(field: string): string {
  const words = (field.split('.').at(-1) ?? field).replace(
    /[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Reasons that have the code of an expired session, but mean a failed sign-in. */
const SIGN_IN_FAILURE_REASONS = ['WRONG_CREDENTIALS', 'LINK_INVALID'];

export const isSessionExpired = (thrown: unknown) =>
  thrown instanceof ApiError &&
  thrown.code === 'UNAUTHENTICATED' &&
  !SIGN_IN_FAILURE_REASONS.includes(thrown.details.reason ?? '');

/** Whether the same request can succeed later. */
export const isTransient = (thrown: unknown) =>
  thrown instanceof ApiError && (thrown.code === 'UNREACHABLE' || thrown.code === 'INTERNAL');

import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { redact } from '../auth/tokens.ts';
import {
  type ERROR_REASONS,
  errorReasonList,
  type ErrorReason as Value,
} from '../core/error-reasons.ts';
import {
  type DomainError,
  ERROR_CODES,
  type ErrorCode,
  isInternal,
  isUnavailable,
  toDomainError,
} from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { builder } from './builder.ts';

/** What a caller may see of a failure: the code, the reason and its details. The rest goes to the log. */
export function toGraphqlError(thrown: unknown, log: Logger): GraphQLError {
  if (thrown instanceof GraphQLError && isGraphqlError(thrown)) {
    // Those of compiled queries have no extensions at all.
    return ERROR_CODES.includes(thrown.extensions?.code as ErrorCode)
      ? thrown
      : toInvalidQueryError(thrown);
  }
  const at = thrown instanceof GraphQLError ? thrown : undefined;
  const error = toDomainError(at?.originalError ?? thrown);
  if (isUnavailable(error)) log.warn({ err: error.cause ?? error, path: at?.path }, error.message);
  else if (isInternal(error))
    log.error({ err: error.cause ?? error, path: at?.path }, 'request failed');
  return new GraphQLError(redact(error.message), {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { ...toExtensions(error), ...toHttpExtension(error) },
  });
}

/** For what is refused before anything is executed. */
export const normalizeErrors = (log: Logger): Plugin => ({
  onResultProcess: ({ result, setResult }) => {
    if (!('errors' in result) || result.errors === undefined) return;
    const errors = result.errors.map((error) => toGraphqlError(error, log));
    // Clients retry a 503 as a whole, so it carries no half of an answer: what was written before the outage is
    // there, and an Idempotency-Key keeps it from being written twice.
    if (errors.some(isOutage)) setResult({ data: null, errors });
    else setResult({ ...result, errors });
  },
});

const isOutage = ({ extensions }: GraphQLError) => extensions.reason === 'UNAVAILABLE';

/** Yoga takes status and headers from here and leaves them out of the answer. Other failures keep GraphQL's own status. */
function toHttpExtension(error: DomainError) {
  if (!isUnavailable(error)) return {};
  return {
    http: { status: 503, headers: { 'retry-after': String(error.details.retryAfterSeconds) } },
  };
}

export const toExtensions = (error: DomainError) => ({
  code: error.code,
  ...JSON.parse(redact(JSON.stringify(error.details))),
});

/** Nothing that we have thrown stands behind it; what a scalar refuses is wrapped once more. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined ||
  (originalError instanceof GraphQLError && isGraphqlError(originalError));

/** What GraphQL itself refuses is a request that cannot be read. */
const toInvalidQueryError = (error: GraphQLError) =>
  new GraphQLError(redact(stripVariableValues(error.message)), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...getHttpExtension(error), code: 'BAD_REQUEST', reason: 'INVALID_QUERY' },
  });

// What such a message says besides the values, as graphql-js and graphql-jit word it.
const TYPE_PATTERN = '"?[\\w[\\]!]+"?';
const MISMATCH_PATTERN = new RegExp(
  [
    ` at "[\\w.[\\]]+"(?=; )`,
    `Expected (non-nullable )?type ${TYPE_PATTERN}( not to be null| to be an object)?`,
    `Field "?[\\w.]+"? (of required type ${TYPE_PATTERN} was not provided|is not defined by type ${TYPE_PATTERN})`,
    `does not exist in ${TYPE_PATTERN} enum`,
    '[A-Z]\\w* cannot represent [a-z0-9 -]*value',
    'must be an RFC 3339 time such as [\\w:-]+',
    'must be a time of the years 1 to 9999',
    'must be a real date such as [\\d-]+',
  ].join('|'),
  'g',
);

/** They quote the whole variable that does not fit: with it the password beside a misspelt field. */
function stripVariableValues(message: string): string {
  const variable = /^Variable "\$\w+"(?= got invalid value )/.exec(message)?.[0];
  if (variable === undefined) return message;
  return `${variable} does not fit: ${(message.match(MISMATCH_PATTERN) ?? []).join('; ').trim()}.`;
}

/** The status that Yoga wants; the rest of what it says quotes the request. */
const getHttpExtension = ({ extensions }: GraphQLError) =>
  extensions?.http ? { http: extensions.http } : {};

const RESPONSE_MEDIA_TYPE = 'application/graphql-response+json';

/** Answers a request that is refused before GraphQL reads it, as GraphQL over HTTP wants it. */
export function sendGraphqlError(
  { log }: Pick<Dependencies, 'log'>,
  req: IncomingMessage,
  res: ServerResponse,
  error: DomainError,
): void {
  if (isInternal(error)) log.warn(error.message);
  const { retryAfterSeconds } = error.details;
  const body = JSON.stringify({
    errors: [{ message: redact(error.message), extensions: toExtensions(error) }],
  });
  const type = req.headers.accept?.includes(RESPONSE_MEDIA_TYPE)
    ? RESPONSE_MEDIA_TYPE
    : 'application/json';
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds);
  res.writeHead(getRefusalStatus(error), {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}

function getRefusalStatus(error: DomainError): number {
  if (error.code === 'RATE_LIMITED') return 429;
  return isInternal(error) ? 503 : 400;
}

const ErrorReason = builder.enumType('ErrorReason', {
  description:
    'Why something is refused: `extensions.reason` of errors, and the header Foyer-Error-Reason in REST',
  values: Object.fromEntries(
    errorReasonList.map(({ reason, description }) => [reason, { description }]),
  ) as { [Reason in Value]: { description: (typeof ERROR_REASONS)[Reason] } },
});

const ErrorReasonDescription = builder
  .objectRef<{ reason: Value; description: string }>('ErrorReasonDescription')
  .implement({
    fields: (t) => ({
      reason: t.expose('reason', { type: ErrorReason }),
      description: t.exposeString('description'),
    }),
  });

builder.queryField('errorReasons', (t) =>
  t.field({
    type: [ErrorReasonDescription],
    description: 'Every reason for which something is refused, with what it means',
    authScopes: { access: 'public' },
    resolve: () => errorReasonList,
  }),
);

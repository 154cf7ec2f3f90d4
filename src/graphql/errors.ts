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

/** Converts an error to what callers see: the code, the reason and its details. Logs internal errors. */
export function toGraphqlError(thrown: unknown, log: Logger): GraphQLError {
  if (thrown instanceof GraphQLError && isGraphqlError(thrown)) {
    // Errors of compiled queries have no extensions.
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

/** Normalizes the errors of every result, including those from before the execution. */
export const normalizeErrors = (log: Logger): Plugin => ({
  onResultProcess: ({ result, setResult }) => {
    if (!('errors' in result) || result.errors === undefined) return;
    const errors = result.errors.map((error) => toGraphqlError(error, log));
    // Clients retry a 503 as a whole, so it carries no partial data. What was written before the outage stays, and an
    // Idempotency-Key prevents a retry from writing it again.
    if (errors.some(isOutage)) setResult({ data: null, errors });
    else setResult({ ...result, errors });
  },
});

const isOutage = ({ extensions }: GraphQLError) => extensions.reason === 'UNAVAILABLE';

/** Yoga takes the status and headers from this extension and removes it from the response. */
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

/** Whether GraphQL itself raised the error. Errors of scalars are wrapped once more. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined ||
  (originalError instanceof GraphQLError && isGraphqlError(originalError));

/** Errors of GraphQL itself mean that the request is invalid. */
const toInvalidQueryError = (error: GraphQLError) =>
  new GraphQLError(redact(stripVariableValues(error.message)), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...getHttpExtension(error), code: 'BAD_REQUEST', reason: 'INVALID_QUERY' },
  });

// The parts of such a message that contain no values, in the wording of graphql-js and graphql-jit.
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

/** These messages quote the whole invalid variable, including for example a password beside a misspelled field. */
function stripVariableValues(message: string): string {
  const variable = /^Variable "\$\w+"(?= got invalid value )/.exec(message)?.[0];
  if (variable === undefined) return message;
  return `${variable} does not fit: ${(message.match(MISMATCH_PATTERN) ?? []).join('; ').trim()}.`;
}

/** Keeps only the HTTP status that Yoga set, since other extensions quote the request. */
const getHttpExtension = ({ extensions }: GraphQLError) =>
  extensions?.http ? { http: extensions.http } : {};

const RESPONSE_MEDIA_TYPE = 'application/graphql-response+json';

/** Responds to a request that is rejected before GraphQL parses it, as specified by GraphQL over HTTP. */
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
  res.writeHead(toRejectionStatus(error), {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}

function toRejectionStatus(error: DomainError): number {
  if (error.code === 'RATE_LIMITED') return 429;
  return isInternal(error) ? 503 : 400;
}

const ErrorReason = builder.enumType('ErrorReason', {
  description:
    'The machine-readable cause of an error: `extensions.reason` in GraphQL, the header Foyer-Error-Reason in REST',
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
    description: 'All error reasons and their meanings',
    authScopes: { access: 'public' },
    resolve: () => errorReasonList,
  }),
);

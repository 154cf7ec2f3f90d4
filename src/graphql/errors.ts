import type { IncomingMessage, ServerResponse } from 'node:http';
import { GraphQLError, type GraphQLSchema, isEnumType } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { redact } from '../auth/tokens.ts';
import { logError } from '../core/error-log.ts';
import {
  type ERROR_REASONS,
  errorReasonList,
  type ErrorReason as Value,
} from '../core/error-reasons.ts';
import { findRequestId } from '../core/request-id.ts';
import {
  type DomainError,
  isInternal,
  isUnavailable,
  toDomainError,
  toErrorDetails,
  unauthenticated,
} from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { builder } from './builder.ts';
import { withCost } from './query-cost.ts';
import { translateLimitError } from './query-limits.ts';

/** Converts an error to the form that callers get: with code, reason and details. Logs internal errors. */
export function toGraphqlError(thrown: unknown, log: Logger): GraphQLError {
  if (thrown instanceof GraphQLError && isGraphqlError(thrown)) {
    const limitError = translateLimitError(thrown);
    if (limitError) return limitError;
    // Errors of compiled queries have no extensions, and errors of Yoga have no reason.
    return thrown.extensions?.reason === undefined ? toInvalidQueryError(thrown) : thrown;
  }
  const wrapper = thrown instanceof GraphQLError ? thrown : undefined;
  const error = toDomainError(wrapper?.originalError ?? thrown);
  logError(log, error, { path: wrapper?.path });
  return new GraphQLError(toGraphqlMessage(error), {
    nodes: wrapper?.nodes,
    path: wrapper?.path,
    extensions: { ...toErrorDetails(error), ...toHttpExtension(error) },
  });
}

/** Normalizes the errors of every result, including those of parsing and validation. */
export const normalizeErrors = (
  schema: GraphQLSchema,
  baseLog: Logger,
): Plugin<object, { res?: ServerResponse }> => ({
  onResultProcess: ({ result, setResult, serverContext: { res } }) => {
    if (!('errors' in result) || result.errors === undefined) return;
    const log = res ? baseLog.child({ requestId: findRequestId(res) }) : baseLog;
    const errors = result.errors.map((error) => listEnumValues(schema, toGraphqlError(error, log)));
    // Clients retry a 503 as a whole, so it contains no partial data. Writes before the outage are committed. With an
    // Idempotency-Key, a retry does not repeat them.
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

/** Converts an error for which nothing of the request has been executed. Its HTTP status is that of a rejected request. */
export function toRejectionError(thrown: unknown, log: Logger): GraphQLError {
  const error = toDomainError(thrown);
  if (isInternal(error)) return toGraphqlError(error, log);
  const { retryAfterSeconds } = error.details;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new GraphQLError(toGraphqlMessage(error), {
    extensions: { ...toErrorDetails(error), http: { status: toRejectionStatus(error), headers } },
  });
}

/** The REST contract fixes the text of 401, so only GraphQL says what to do. */
export const toGraphqlMessage = ({ message }: DomainError): string =>
  message === unauthenticated().message
    ? `${message} Sign in, or send a valid API token as "Authorization: Bearer <token>".`
    : redact(message);

/** Whether GraphQL itself raised the error. Errors of scalars are wrapped once more. */
const isGraphqlError = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined ||
  (originalError instanceof GraphQLError && isGraphqlError(originalError));

/** Errors of GraphQL itself mean that the request is invalid. */
const toInvalidQueryError = (error: GraphQLError) =>
  new GraphQLError(redact(stripVariableValue(error.message)), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: {
      ...getHttpExtension(error),
      code: 'BAD_REQUEST',
      reason: 'INVALID_QUERY',
      ...getFieldsExtension(error),
    },
  });

/** `coerceVariables` rejects invalid variables. If the execution does too, its message quotes the value, such as a password. */
const VALUE_MARK = ' got invalid value ';

function stripVariableValue(message: string): string {
  const end = message.startsWith('Variable "$') ? message.indexOf(VALUE_MARK) : -1;
  return end === -1 ? message : `${message.slice(0, end)} is invalid.`;
}

const ENUM_PATTERN = /does not exist in "?(\w+)"? enum|\bEnum "(\w+)" cannot represent/;

/** Adds the values of the enum to an error about an unknown value. */
function listEnumValues(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  if (error.extensions.reason !== 'INVALID_QUERY') return error;
  const [, ...names] = ENUM_PATTERN.exec(error.message) ?? [];
  const type = schema.getType(names.find((name) => name !== undefined) ?? '');
  if (!isEnumType(type)) return error;
  const values = type.getValues().map(({ name }) => name);
  return new GraphQLError(`${error.message} Use one of ${values.join(', ')}.`, error);
}

/** Keeps the fields of invalid variables, which contain no values. */
const getFieldsExtension = ({ extensions }: GraphQLError) =>
  extensions?.fields ? { fields: extensions.fields } : {};

/** Keeps only the HTTP status that Yoga set, since other extensions quote the request. */
const getHttpExtension = ({ extensions }: GraphQLError) =>
  extensions?.http ? { http: extensions.http } : {};

const RESPONSE_MEDIA_TYPE = 'application/graphql-response+json';

/**
 * Responds to a request that GraphQL does not answer, as specified by GraphQL over HTTP, and logs internal errors. Ends the
 * connection if a response has begun.
 */
export function sendGraphqlError(
  { log }: Pick<Dependencies, 'log'>,
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
): void {
  const error = toDomainError(thrown);
  logError(log, error, { requestId: findRequestId(res) });
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { retryAfterSeconds } = error.details;
  const body = JSON.stringify({
    ...(isUnavailable(error) && { data: null }), // as in every other response with 503
    errors: [{ message: toGraphqlMessage(error), extensions: toErrorDetails(error) }],
  });
  const type = req.headers.accept?.includes(RESPONSE_MEDIA_TYPE)
    ? RESPONSE_MEDIA_TYPE
    : 'application/json';
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds);
  res.writeHead(toRejectionStatus(error), {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  res.end(body);
}

function toRejectionStatus(error: DomainError): number {
  if (error.code === 'RATE_LIMITED') return 429;
  if (isUnavailable(error)) return 503;
  return isInternal(error) ? 500 : 400;
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
    description: 'The meaning of one error reason',
    fields: (t) => ({
      reason: t.expose('reason', {
        type: ErrorReason,
        description: 'The reason, as in extensions.reason of errors',
      }),
      description: t.exposeString('description', {
        description: 'When the reason occurs, in one sentence',
      }),
    }),
  });

builder.queryField('errorReasons', (t) =>
  t.field({
    type: [ErrorReasonDescription],
    description: 'All error reasons and their meanings',
    authScopes: { access: 'public' },
    ...withCost({ items: 150 }),
    resolve: () => errorReasonList,
  }),
);

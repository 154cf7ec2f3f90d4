import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { redact } from '../auth/secrets.ts';
import {
  CODES,
  type Code,
  type DomainError,
  isOurs,
  isUnavailable,
  toDomainError,
} from '../errors.ts';

/** What a caller may see of a failure: the code, the reason and its details. The rest goes to the log. */
export function asGraphqlError(thrown: unknown, log: Logger): GraphQLError {
  if (thrown instanceof GraphQLError && isGraphqlsOwn(thrown)) {
    // Those of compiled queries have no extensions at all.
    return CODES.includes(thrown.extensions?.code as Code) ? thrown : withCode(thrown);
  }
  const at = thrown instanceof GraphQLError ? thrown : undefined;
  const error = toDomainError(at?.originalError ?? thrown);
  if (isUnavailable(error)) log.warn({ err: error.cause ?? error, path: at?.path }, error.message);
  else if (isOurs(error))
    log.error({ err: error.cause ?? error, path: at?.path }, 'request failed');
  return new GraphQLError(redact(error.message), {
    nodes: at?.nodes,
    path: at?.path,
    extensions: { ...extensionsOf(error), ...toHttp(error) },
  });
}

/** For what is refused before anything is executed. */
export const ownCodes = (log: Logger): Plugin => ({
  onResultProcess: ({ result, setResult }) => {
    if (!('errors' in result) || result.errors === undefined) return;
    const errors = result.errors.map((error) => asGraphqlError(error, log));
    // Clients retry a 503 as a whole, so it carries no half of an answer: what was written before the outage is
    // there, and an Idempotency-Key keeps it from being written twice.
    if (errors.some(isOutage)) setResult({ data: null, errors });
    else setResult({ ...result, errors });
  },
});

const isOutage = ({ extensions }: GraphQLError) => extensions.reason === 'UNAVAILABLE';

/** Yoga takes status and headers from here and leaves them out of the answer. Other failures keep GraphQL's own status. */
function toHttp(error: DomainError) {
  if (!isUnavailable(error)) return {};
  return {
    http: { status: 503, headers: { 'retry-after': String(error.details.retryAfterSeconds) } },
  };
}

export const extensionsOf = (error: DomainError) => ({
  code: error.code,
  ...JSON.parse(redact(JSON.stringify(error.details))),
});

/** Nothing that we have thrown stands behind it; what a scalar refuses is wrapped once more. */
const isGraphqlsOwn = ({ originalError }: GraphQLError): boolean =>
  originalError === undefined ||
  (originalError instanceof GraphQLError && isGraphqlsOwn(originalError));

/** What GraphQL itself refuses is a request that cannot be read. */
const withCode = (error: GraphQLError) =>
  new GraphQLError(redact(withoutValues(error.message)), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...httpOf(error), code: 'BAD_REQUEST', reason: 'INVALID_QUERY' },
  });

// What such a message says besides the values, as graphql-js and graphql-jit word it.
const TYPE = '"?[\\w[\\]!]+"?';
const MISFIT = new RegExp(
  [
    ` at "[\\w.[\\]]+"(?=; )`,
    `Expected (non-nullable )?type ${TYPE}( not to be null| to be an object)?`,
    `Field "?[\\w.]+"? (of required type ${TYPE} was not provided|is not defined by type ${TYPE})`,
    `does not exist in ${TYPE} enum`,
    '[A-Z]\\w* cannot represent [a-z0-9 -]*value',
    'must be an RFC 3339 time such as [\\w:-]+',
    'must be a time of the years 1 to 9999',
    'must be a real date such as [\\d-]+',
  ].join('|'),
  'g',
);

/** They quote the whole variable that does not fit: with it the password beside a misspelt field. */
function withoutValues(message: string): string {
  const variable = /^Variable "\$\w+"(?= got invalid value )/.exec(message)?.[0];
  if (variable === undefined) return message;
  return `${variable} does not fit: ${(message.match(MISFIT) ?? []).join('; ').trim()}.`;
}

/** The status that Yoga wants; the rest of what it says quotes the request. */
const httpOf = ({ extensions }: GraphQLError) =>
  extensions?.http ? { http: extensions.http } : {};

import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { type DomainError, isOurs, toDomainError } from '../errors.ts';

/** What a caller may see of a failure: the code, the reason and its details. The rest goes to the log. */
export function asGraphqlError(thrown: unknown, log: Logger): GraphQLError {
  if (thrown instanceof GraphQLError && thrown.originalError === undefined) {
    return thrown.extensions.code === undefined ? withCode(thrown) : thrown;
  }
  const at = thrown instanceof GraphQLError ? thrown : undefined;
  const error = toDomainError(at?.originalError ?? thrown);
  if (isOurs(error)) log.error({ err: error.cause ?? error, path: at?.path }, 'request failed');
  return new GraphQLError(error.message, {
    nodes: at?.nodes,
    path: at?.path,
    extensions: extensionsOf(error),
  });
}

export const extensionsOf = (error: DomainError) => ({ code: error.code, ...error.details });

/** What GraphQL itself refuses is a request that cannot be read. */
const withCode = (error: GraphQLError) =>
  new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...error.extensions, code: 'BAD_REQUEST' },
  });

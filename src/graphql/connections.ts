import type { z } from 'zod';
import type { Context } from '../context.ts';
import {
  type CursorPosition,
  DEFAULT_LIMIT,
  encodeCursor,
  MAX_LIMIT,
  type Page,
  type PageRequest,
} from '../core/pagination.ts';
import { omitNull, parseInput } from '../core/validation.ts';
import { DomainError } from '../errors.ts';
import type { GraphqlContext } from './context.ts';

interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Converts pagination arguments. @throws BAD_REQUEST for backward pagination or an invalid page size. */
export function toPageRequest({ first, after, last, before }: ConnectionArgs): PageRequest {
  if (last != null || before != null) {
    throw new DomainError(
      'BAD_REQUEST',
      'Lists support forward pagination only: use first and after.',
      {
        reason: 'FORWARDS_ONLY',
      },
    );
  }
  const limit = first ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new DomainError('BAD_REQUEST', `first: must be from 1 to ${MAX_LIMIT}.`, {
      reason: 'INVALID_INPUT',
    });
  }
  return { limit, cursor: after ?? undefined };
}

export function toConnection<T>(
  { items, nextCursor }: Page<T>,
  toPosition: (item: T) => CursorPosition,
  after?: string | null,
) {
  const edges = items.map((node) => ({ node, cursor: encodeCursor(toPosition(node)) }));
  return {
    edges,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: nextCursor !== null,
      hasPreviousPage: after != null,
    },
  };
}

export const toStartPosition = ({
  startsAt,
  id,
}: {
  startsAt: string;
  id: string;
}): CursorPosition => [startsAt, id];
export const toNamePosition = ({ name, id }: { name: string; id: string }): CursorPosition => [
  name,
  id,
];

/** A list costs as much as its requested page size. */
export const computePageComplexity = ({ first }: { first?: number | null | undefined }) => ({
  field: 1,
  multiplier: Math.max(1, Math.min(first ?? DEFAULT_LIMIT, MAX_LIMIT)),
});

/** Returns the options of a connection field: its complexity and its resolver. */
export const paginateField = <T>(
  list: (ctx: Context, page: PageRequest, context: GraphqlContext) => Promise<Page<T>>,
  toPosition: (item: T) => CursorPosition,
) => ({
  complexity: computePageComplexity,
  resolve: async (_: unknown, args: ConnectionArgs, context: GraphqlContext) =>
    toConnection(await list(context.ctx, toPageRequest(args), context), toPosition, args.after),
});

/** Like `paginateField`, for a field with a `filter` argument. */
export const paginateFilteredField = <T, Filter extends z.ZodType>(
  filter: Filter,
  list: (ctx: Context, filter: z.output<Filter>, page: PageRequest) => Promise<Page<T>>,
  toPosition: (item: T) => CursorPosition,
) => ({
  complexity: computePageComplexity,
  resolve: async (
    _: unknown,
    args: ConnectionArgs & { filter?: object | null | undefined },
    { ctx }: GraphqlContext,
  ) =>
    toConnection(
      await list(ctx, parseInput(filter, omitNull(args.filter)), toPageRequest(args)),
      toPosition,
      args.after,
    ),
});

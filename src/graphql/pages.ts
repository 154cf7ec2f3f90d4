import type { z } from 'zod';
import type { Ctx } from '../context.ts';
import { DomainError } from '../errors.ts';
import {
  DEFAULT_LIMIT,
  encodeCursor,
  MAX_LIMIT,
  type Page,
  type PageRequest,
  type Position,
} from '../page.ts';
import { definite, valid } from '../validation.ts';
import type { GraphqlContext } from './context.ts';

interface ConnectionArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

/** Throws BAD_REQUEST for a size out of bounds; lists are read forwards only. */
export function pageRequest({ first, after, last, before }: ConnectionArgs): PageRequest {
  if (last != null || before != null) {
    throw new DomainError('BAD_REQUEST', 'Lists are read forwards: use first and after.', {
      reason: 'FORWARDS_ONLY',
    });
  }
  const limit = first ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new DomainError('BAD_REQUEST', `first: from 1 to ${MAX_LIMIT}.`, {
      reason: 'INVALID_INPUT',
    });
  }
  return { limit, cursor: after ?? undefined };
}

export function connection<T>(
  { items, nextCursor }: Page<T>,
  positionOf: (item: T) => Position,
  after?: string | null,
) {
  const edges = items.map((node) => ({ node, cursor: encodeCursor(positionOf(node)) }));
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

export const byStart = ({ startsAt, id }: { startsAt: string; id: string }): Position => [
  startsAt,
  id,
];
export const byItsName = ({ name, id }: { name: string; id: string }): Position => [name, id];

/** A list costs as much as the page that is asked for. */
export const pageComplexity = ({ first }: { first?: number | null | undefined }) => ({
  field: 1,
  multiplier: Math.max(1, Math.min(first ?? DEFAULT_LIMIT, MAX_LIMIT)),
});

/** Of a field that answers with a list, page by page: what it costs, and how it is read. */
export const paged = <T>(
  list: (ctx: Ctx, page: PageRequest, context: GraphqlContext) => Promise<Page<T>>,
  positionOf: (item: T) => Position,
) => ({
  complexity: pageComplexity,
  resolve: async (_: unknown, args: ConnectionArgs, context: GraphqlContext) =>
    connection(await list(context.ctx, pageRequest(args), context), positionOf, args.after),
});

/** The same, of those that the argument `filter` asks for. */
export const pagedBy = <T, Filter extends z.ZodType>(
  filter: Filter,
  list: (ctx: Ctx, filter: z.output<Filter>, page: PageRequest) => Promise<Page<T>>,
  positionOf: (item: T) => Position,
) => ({
  complexity: pageComplexity,
  resolve: async (
    _: unknown,
    args: ConnectionArgs & { filter?: object | null | undefined },
    { ctx }: GraphqlContext,
  ) =>
    connection(
      await list(ctx, valid(filter, definite(args.filter)), pageRequest(args)),
      positionOf,
      args.after,
    ),
});

import { z } from 'zod';
import type { Access } from '../auth/viewer.ts';
import type { Ctx } from '../context.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../page.ts';
import type { Json } from './envelope.ts';

/** One entry of the REST door, as data: what serves it, guards it and describes it. */
export interface Route<Query extends z.ZodType = z.ZodType> {
  method: 'GET';
  /** As in OpenAPI: `/bookings/{id}`. */
  path: string;
  /** `device-token`: the credential is a path segment, or the Authorization header, and the service checks it. */
  access: Access | 'device-token';
  summary: string;
  query: Query;
  /** What `data` holds on success. */
  data: z.ZodType;
  answer(ctx: Ctx, input: Input<z.output<Query>>): Promise<Answer>;
}

export interface Input<Query> {
  params: Record<string, string>;
  query: Query;
  /** The bearer secret where access is `device-token` and none stands in the path. */
  deviceToken: string;
}

export interface Answer {
  data: object | Json;
  /** Strong; a request that names it is answered 304. */
  etag?: string;
}

/** Ties the type of the query to the handler. */
export const route = <Query extends z.ZodType>(entry: Route<Query>): Route =>
  entry as unknown as Route;

export const noQuery = z.strictObject({});

export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,4}$/, `must be a number from 1 to ${MAX_LIMIT}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MAX_LIMIT, `must be a number from 1 to ${MAX_LIMIT}`)
    .default(DEFAULT_LIMIT),
  cursor: z.string().min(1).max(300).optional(),
};

export const instantQuery = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-01-31T09:00:00Z' })
  .transform((text) => new Date(text));

export const pagination = z.object({ limit: z.int(), next_cursor: z.string().nullable() });

export const paginated = (
  plural: string,
  { json, nextCursor }: { json: string; nextCursor: string | null },
  limit: number,
) =>
  `{"${plural}":${json},"pagination":{"limit":${limit},"next_cursor":${JSON.stringify(nextCursor)}}}`;

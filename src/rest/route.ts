import { z } from 'zod';
import type { Guess, RateLimits } from '../auth/rate-limits.ts';
import type { Access, Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, type Page } from '../core/pagination.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { RawJson } from './envelope.ts';

/** One entry of the REST door, as data: what serves it, guards it and describes it. */
export type Route = CallerRoute | DeviceRoute;

interface RouteBase<Query extends z.ZodType, Body extends z.ZodType> {
  method: 'GET' | 'POST';
  /** As in OpenAPI: `/bookings/{id}`. */
  path: string;
  summary: string;
  query: Query;
  /** What a POST says; one that asks for nothing may be sent without. */
  body?: Body;
  /** 201 where something is created, else 200. */
  status?: 200 | 201;
  /** The answer may be 201 instead, as it says itself. */
  mayCreate?: true;
  /** What `data` holds on success. */
  data: z.ZodType;
  /** The media type of a response without the envelope. Its `data` is the whole text. */
  mediaType?: string;
  /** Served without Express, for a route that devices poll all day. See docs/decisions. GET only. */
  fastPath?: true;
}

export interface CallerRoute<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends RouteBase<Query, Body> {
  access: Access;
  /** Open to all, and a device may say by its token which one it is. Any other credential is as if there were none. */
  optionalDeviceAuth?: true;
  /** Open to all, and who has a credential that holds is known by it. One that does not hold is as if there were none. */
  optionalAuth?: true;
  /**
   * Asked before the answer and outside of its transaction, for rate limits: they count what comes to nothing too, and the
   * embedded database has one connection.
   */
  rateLimit?(input: RouteInput<z.output<Query>, z.output<Body>>): Promise<void>;
  /** For a request that presents a code or a secret: misses are limited. Null where this one presents none. */
  guess?(input: RouteInput<z.output<Query>, z.output<Body>>): Guess | null;
  /** It answers no sooner, for the time to say nothing. */
  minResponseMs?: number;
  handler(ctx: Context, input: RouteInput<z.output<Query>, z.output<Body>>): Promise<RouteResponse>;
}

/**
 * What devices ask all day. The credential is a path segment, or the Authorization header, and the service checks it.
 * Nothing is looked at but the token, and whatever parameters there are are the service's to understand.
 */
export interface DeviceRoute extends RouteBase<z.ZodType, z.ZodType> {
  access: 'device-token';
  handler(
    ctx: Context,
    asked: {
      deviceToken: string;
      parameters: URLSearchParams | undefined;
      gateway: Dependencies['deviceGateway'];
      /** Whether the device has this version already: then it is told no data. */
      matchesEtag(etag: string): boolean;
    },
  ): Promise<RouteResponse>;
}

interface RouteInput<Query, Body> {
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** Who is calling, for rate limits. */
  viewer: Viewer;
  /** Where callers reach the service. */
  baseUrl: string;
  /** Where the request came from, for rate limits. */
  address: string;
  /** For `rateLimit` and `guess`. */
  rateLimits: RateLimits;
}

export interface RouteResponse {
  data: object | RawJson | string;
  /** Strong; a request that names it is answered 304. */
  etag?: string;
  /** Where it is not always the route's. */
  status?: 200 | 201;
}

/** Ties the types of the query and the body to the handler. */
export const defineRoute = <Query extends z.ZodType, Body extends z.ZodType = z.ZodUndefined>(
  entry: CallerRoute<Query, Body>,
): Route => entry as unknown as Route;

export const emptyQuery = z.strictObject({});

/** A number in an address. */
export const integerParameter = (least: number, most: number) => {
  const error = `must be a number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((number) => number >= least && number <= most, error);
};

export const pageParameters = {
  limit: integerParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: z.string().min(1).max(300).optional(),
};

export const instantParameter = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-01-31T09:00:00Z' })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999, {
    error: 'must be a time of the years 1 to 9999',
  });

export const paginationSchema = z.object({ limit: z.int(), next_cursor: z.string().nullable() });

export const toPaginatedJson = (
  plural: string,
  { json, nextCursor }: { json: string; nextCursor: string | null },
  limit: number,
) =>
  `{"${plural}":${json},"pagination":{"limit":${limit},"next_cursor":${JSON.stringify(nextCursor)}}}`;

/** A page of what stands in the domain's words, told in the wire's. */
export const toPaginatedObject = <T>(
  plural: string,
  { items, nextCursor }: Page<T>,
  { limit, serialize }: { limit: number; serialize: (item: T) => object },
) => ({ [plural]: items.map(serialize), pagination: { limit, next_cursor: nextCursor } });

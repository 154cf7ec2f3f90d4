import { z } from 'zod';
import type { Guess } from '../auth/guesses.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Access, Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, type Page } from '../core/pagination.ts';
import { describeInvalidInstant } from '../core/time/calendar-date.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { RawJson } from './envelope.ts';

/** A REST route as data: its handler, access, limits and description. */
export type Route = CallerRoute | DeviceRoute;

interface RouteBase<Query extends z.ZodType, Body extends z.ZodType> {
  method: 'GET' | 'POST';
  /** As in OpenAPI: `/bookings/{id}`. */
  path: string;
  /** What it does, in a few words. */
  summary: string;
  /** More about it, in whole sentences. */
  description?: string;
  /** The name in generated clients, where the one that follows from method and path reads badly. */
  operationId?: string;
  /** What parameters of the path are, where their names do not say it. */
  pathParameters?: Readonly<Record<string, string>>;
  query: Query;
  /** The body of a POST. It can be omitted if the schema accepts an empty object. */
  body?: Body;
  /** The status of a successful response. Default 200; 201 if the route creates something. */
  status?: 200 | 201;
  /** The handler can return 201 instead. */
  canCreate?: true;
  /** The schema of `data` on success. */
  data: z.ZodType;
  /** The media type of a response without the envelope, whose `data` is the whole body. */
  mediaType?: string;
  /** More headers of a successful response. */
  headers?: Readonly<Record<string, string>>;
  /** A page has the same path. Requests with a token, and those that accept JSON, get the route; all others get the page. */
  sharesPathWithPage?: true;
  /** Served without Express, for a route that devices poll all day. See docs/decisions. GET only. */
  fastPath?: true;
}

export interface CallerRoute<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends RouteBase<Query, Body> {
  access: Access;
  /** A public route that identifies devices by their token. Other credentials are ignored. */
  optionalDeviceAuth?: true;
  /** A public route that identifies callers with a valid credential. Invalid credentials are ignored. */
  optionalAuth?: true;
  /**
   * Counts the request. Called before the handler and outside its transaction, so that rejected requests count too and the
   * embedded database, which has one connection, does not deadlock. @throws RATE_LIMITED
   */
  rateLimit?(input: RouteInput<z.output<Query>, z.output<Body>>): Promise<void>;
  /** Limits misses of requests that present a code or a secret. Returns null if the request presents none. */
  guess?(input: RouteInput<z.output<Query>, z.output<Body>>): Guess | null;
  /**
   * The service claims the idempotency key and stores the response itself: see `withSharedIdempotency`. The handler returns what
   * the service returns.
   */
  sharesTransaction?: true;
  /** The minimum response time, also of errors, so that timing reveals nothing. */
  minResponseMs?: number;
  /** How long browsers and proxies can reuse successful responses, which must be the same for everyone. */
  cache?: PublicCache;
  handler(
    ctx: Context,
    input: Omit<RouteInput<z.output<Query>, z.output<Body>>, 'rateLimits'>,
  ): Promise<RouteResponse>;
}

/** An old response is used for at most the sum of both. */
interface PublicCache {
  maxAgeSeconds: number;
  staleWhileRevalidateSeconds: number;
}

/**
 * A route that devices poll. The credential is a path segment or the Authorization header, and the service checks it. The
 * service also parses the query parameters.
 */
export interface DeviceRoute extends RouteBase<z.ZodType, z.ZodType> {
  access: 'device-token';
  handler(
    ctx: Context,
    input: {
      deviceToken: string;
      parameters: URLSearchParams | undefined;
      gateway: Dependencies['deviceGateway'];
      /** Whether the device already has this version. The response then needs no data. */
      matchesEtag(etag: string): boolean;
    },
  ): Promise<RouteResponse>;
}

interface RouteInput<Query, Body> {
  params: Record<string, string>;
  query: Query;
  body: Body;
  /** The caller, for rate limits. */
  viewer: Viewer;
  /** The public URL of the service. */
  baseUrl: string;
  /** The client's address, for rate limits. */
  address: string;
  /** For `rateLimit` and `guess`. */
  rateLimits: RateLimits;
}

export interface RouteResponse {
  data: object | RawJson | string | Buffer;
  /** The name under which clients save a response with a media type. */
  filename?: string;
  /** A strong entity tag. A request with this tag in If-None-Match gets 304. */
  etag?: string;
  /** Overrides the status of the route. */
  status?: 200 | 201;
}

/** Defines a route with the types of its query and body. */
export const defineRoute = <Query extends z.ZodType, Body extends z.ZodType = z.ZodUndefined>(
  route: CallerRoute<Query, Body>,
): Route => route as unknown as Route;

export const emptyQuery = z.strictObject({});

/** The schema of an integer in a query string. */
export const integerParameter = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.int({ error }).min(min, error).max(max, error),
  );
};

/** The schema of a list in a query string, with commas between its items. */
export const listParameter = <Item extends z.ZodType>(list: z.ZodArray<Item>) =>
  z.preprocess((text) => (typeof text === 'string' ? text.split(',') : text), list);

export const pageParameters = {
  limit: integerParameter(1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({ description: 'The maximum length of the list' }),
  cursor: z.string().min(1).max(300).optional().meta({
    description: 'The next_cursor of the page before. Omit it to get the first page.',
  }),
};

export const instantParameter = z.iso
  .datetime({ offset: true, error: ({ input }) => describeInvalidInstant(input) })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999, {
    error: 'must be in the years 1 to 9999',
  });

export const paginationSchema = z
  .object({
    limit: z.int().meta({ description: 'The limit of the request, or the default' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The cursor of the next page; null on the last page' }),
  })
  .meta({ id: 'Pagination', description: 'Where the list continues' });

export const toPaginatedJson = (
  plural: string,
  { json, nextCursor }: { json: string; nextCursor: string | null },
  limit: number,
) =>
  `{"${plural}":${json},"pagination":{"limit":${limit},"next_cursor":${JSON.stringify(nextCursor)}}}`;

/** Converts a page of domain objects to its JSON representation. */
export const toPaginatedObject = <T>(
  plural: string,
  { items, nextCursor }: Page<T>,
  { limit, serialize }: { limit: number; serialize: (item: T) => object },
) => ({ [plural]: items.map(serialize), pagination: { limit, next_cursor: nextCursor } });

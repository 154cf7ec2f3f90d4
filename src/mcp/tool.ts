import { z } from 'zod';
import type { Guess } from '../auth/guesses.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Scope } from '../auth/scopes.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { toSnakeCaseJson } from '../core/letter-case.ts';
import { MAX_LIMIT, type Page } from '../core/pagination.ts';

/**
 * An operation that agents can call, as data: its access, its input and a handler that calls a service. Names and results are those
 * of the REST API.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  /** A verb and a noun, such as `create_booking`. */
  name: string;
  /** As short as possible: agents read the descriptions of all tools with every conversation. */
  description: string;
  access: Scope;
  /**
   * What it does. A `read` changes nothing. A `write` adds something or changes it, and `destructive` ends or overwrites
   * something. Both take an idempotency key.
   */
  effect: 'read' | 'write' | 'destructive';
  /** From `toRestSchema`. */
  input: Schema;
  /** What a call costs of the caller's query budget. Default: `DEFAULT_TOOL_POINTS`. */
  points?: number;
  /** Limits misses of calls that present a code. Returns null if the call presents none. */
  guess?(input: z.output<Schema>, caller: ToolCaller): Guess | null;
  /**
   * The service claims the idempotency key and stores the result itself: see `withSharedIdempotency`. The handler returns what the
   * service returns.
   */
  sharesTransaction?: true;
  handler(ctx: Context, input: z.output<Schema>): Promise<object>;
}

/** Who calls a tool, for limits. */
interface ToolCaller {
  viewer: Viewer;
  address: string;
  rateLimits: RateLimits;
}

/** About as much as a list of 50 rows in GraphQL. */
export const DEFAULT_TOOL_POINTS = 50;

/** Defines a tool with the type of its input. */
export const defineTool = <Schema extends z.ZodType>(tool: Tool<Schema>): Tool =>
  tool as unknown as Tool;

/** Agents read every row, so pages are shorter than those of the APIs. */
const DEFAULT_TOOL_LIMIT = 20;

/** The input of a list besides its filter. */
export const pageInput = {
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_TOOL_LIMIT),
  cursor: z.string().min(1).max(300).optional(),
};

/** Converts a page to the result of a tool: its rows under a plural name, and the cursor of the next page. */
export const toToolPage = <T>(
  plural: string,
  { items, nextCursor }: Page<T>,
  serialize: (item: T) => object,
) => ({ [plural]: items.map(serialize), next_cursor: nextCursor });

/** Converts the keys of an object to snake_case, at all levels. */
export const toToolObject = (value: object) => toSnakeCaseJson(value) as object;

import { countGuess } from '../auth/guesses.ts';
import { requireAccess, toCallerKey } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { findSizeProblem } from '../core/input-size.ts';
import { traceCommand } from '../core/tracing.ts';
import { assertStorableValue, parseInput } from '../core/validation.ts';
import { parseIdempotencyKey, withIdempotency, withSharedIdempotency } from '../db/idempotency.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { ToolCatalog } from './catalog.ts';
import { DEFAULT_TOOL_POINTS } from './tool.ts';

/** A call of a tool, as an agent sends it. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/**
 * Runs a tool and returns its result as JSON text. A call costs points of the query budget that the caller's GraphQL queries share.
 * @throws FORBIDDEN with the missing scope; NOT_FOUND for an unknown tool; the errors of the service.
 */
export async function runTool(
  ctx: Context,
  deps: Dependencies,
  catalog: ToolCatalog,
  call: ToolCall,
): Promise<string> {
  const { viewer, clientAddress: address = '' } = ctx;
  const tool = catalog.find(call.name);
  if (tool === undefined) throw unknownTool();
  requireAccess(viewer, tool.access);
  deps.queryBudget.charge(viewer, address, tool.points ?? DEFAULT_TOOL_POINTS);
  assertSize(call.arguments);
  assertStorableValue(call.arguments);
  const { idempotency_key: key, ...given } = call.arguments;
  if (tool.effect === 'read') {
    const input = parseInput(tool.input, omitNulls(call.arguments));
    return JSON.stringify(
      await traceCommand(ctx.tracer, tool.name, () => tool.handler(ctx, input)),
    );
  }
  const input = parseInput(tool.input, given);
  const keyed = {
    caller: toCallerKey(viewer, address),
    key: parseKey(key),
    part: `tool ${tool.name}`,
    request: [tool.name, given],
  };
  const runOnce = tool.sharesTransaction ? withSharedIdempotency : withIdempotency;
  const guess = tool.guess?.(input, { viewer, address, rateLimits: deps.rateLimits }) ?? null;
  const { body } = await countGuess(
    guess,
    () =>
      runOnce(
        ctx,
        keyed,
        (ctx) => traceCommand(ctx.tracer, tool.name, () => tool.handler(ctx, input)),
        (result) => ({ status: 200, body: JSON.stringify(result) }),
      ),
    ({ body }) => JSON.parse(body), // the result can be a stored one
  );
  return body;
}

/** Every write needs a key, since agents repeat calls that were cut off. */
function parseKey(key: unknown): string {
  if (key === undefined)
    throw new DomainError(
      'VALIDATION',
      'idempotency_key: is missing. Send a new random text with each new call, and the same one only to repeat a call.',
      {
        reason: 'INVALID_INPUT',
        fields: [{ field: 'idempotency_key', message: 'is missing' }],
      },
    );
  return parseIdempotencyKey({ 'idempotency-key': String(key) }) as string;
}

/** Many agents fill in all arguments, with null for what they do not mean. To a tool that only reads, null has no other meaning. */
const omitNulls = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === null) return [];
      return [
        [name, typeof value === 'object' && !Array.isArray(value) ? omitNulls(value) : value],
      ];
    }),
  );

function assertSize(given: object): void {
  const tooLarge = findSizeProblem('The arguments have', given);
  if (tooLarge)
    throw new DomainError('BAD_REQUEST', tooLarge.message, {
      reason: 'INVALID_INPUT',
      limit: tooLarge.limit,
    });
}

const unknownTool = () => {
  const { code, details } = notFound('tool');
  return new DomainError(code, 'No such tool. List the tools with tools/list.', details);
};

import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { redact } from '../auth/tokens.ts';
import { hasAccess } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { logError } from '../core/error-log.ts';
import { readPackageVersion } from '../core/package-version.ts';
import { type DomainError, toDomainError } from '../errors.ts';
import { toRestDetails } from '../rest/envelope.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { findAgent } from './agent.ts';
import type { ToolCatalog } from './catalog.ts';
import { runTool } from './run-tool.ts';

/** What agents need to know besides the descriptions of the tools. */
export const INSTRUCTIONS = `Foyer runs a coworking space. Times are RFC 3339 with an offset; locations have time zones. Money is in minor units. Find ids with the list tools. Preview a booking before you make or move it. idempotency_key: a new random text for each new call, the same only to repeat a call.`;

export const serverInfo = { name: 'foyer', version: readPackageVersion() };

/**
 * Creates the server of one request, which offers the tools that the caller can use. The agent of the context counts if the request
 * itself does not say it.
 */
export function createToolServer(ctx: Context, deps: Dependencies, catalog: ToolCatalog): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  });
  server.setRequestHandler('tools/list', () => ({
    tools: catalog.list(({ access }) => hasAccess(ctx.viewer, access)),
  }));
  server.setRequestHandler('tools/call', async ({ params }, request) => {
    const agent = findAgent(server, request) ?? ctx.agent;
    const call = { name: params.name, arguments: params.arguments ?? {} };
    try {
      return toResult(await runTool({ ...ctx, ...(agent && { agent }) }, deps, catalog, call));
    } catch (thrown) {
      return toErrorResult(deps, toDomainError(thrown), catalog.find(call.name) !== undefined);
    }
  });
  return server;
}

/**
 * Returns JSON as a text alone, which clients of every version of the protocol read. With `structuredContent`, they would get it twice,
 * and agents pay for each: the protocol asks those who send it to send the text too.
 */
const toResult = (json: string): CallToolResult => ({ content: [{ type: 'text', text: json }] });

/** Agents read errors as results, so that they can correct the call. */
function toErrorResult(
  { log }: Dependencies,
  error: DomainError,
  isToolKnown: boolean,
): CallToolResult {
  logError(log, error);
  // Agents guess names, where the APIs need ids.
  const isIdUnknown = isToolKnown && error.details.reason === 'NOT_FOUND';
  const hint = isIdUnknown ? ' Send an id that a list tool returned.' : '';
  // Messages can quote input with a misplaced secret.
  const json = redact(
    JSON.stringify({ error: { ...toRestDetails(error), message: error.message + hint } }),
  );
  return { ...toResult(json), isError: true };
}

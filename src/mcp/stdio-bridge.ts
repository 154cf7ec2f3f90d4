import { PassThrough } from 'node:stream';
import { type CallToolResult, type ListToolsResult, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSessionId, findAgent } from './agent.ts';
import { INSTRUCTIONS, serverInfo } from './server.ts';

interface RunningService {
  /** Its public URL, without a slash at the end. */
  url: string;
  /** An API token. */
  token: string;
}

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Serves the tools of a running service over stdin and stdout, for clients that start a program instead of sending requests. It only
 * forwards, since the service has locked the embedded database. After the end of its input, the process ends once it has answered.
 */
export function serveBridge(service: RunningService): void {
  const createServer = () => {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
    });
    server.setRequestHandler('tools/list', (_, request) =>
      forward<ListToolsResult>(service, findAgent(server, request), 'tools/list', {}),
    );
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }, request) =>
      forward<CallToolResult>(service, findAgent(server, request), 'tools/call', {
        name,
        arguments: given,
      }).catch(toErrorResult),
    );
    return server;
  };
  serveStdio(createServer, { transport: new StdioServerTransport(keepOpen(process.stdin)) });
}

/** Hides the end of an input. At it, the transport would close and drop the requests that are not answered yet. */
function keepOpen(input: NodeJS.ReadStream): PassThrough {
  const open = input.pipe(new PassThrough(), { end: false });
  // The transport pauses its input when it closes, because nobody reads the output. Otherwise, the input would keep the process running.
  open.once('pause', () => input.unpipe(open).pause());
  return open;
}

/** Models see the result of a call, but not an error of the connection. */
const toErrorResult = (error: Error): CallToolResult => ({
  content: [{ type: 'text', text: error.message }],
  isError: true,
});

async function forward<Result>(
  service: RunningService,
  agent: string | undefined,
  method: string,
  params: object,
): Promise<Result> {
  const { url, token } = service;
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': createSessionId(agent),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch((cause) => {
    throw new Error(`Foyer does not answer at ${url}. Start it, or correct FOYER_URL.`, { cause });
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(toMessage(response, url, body));
  if (body.error) throw new Error(String(body.error.message));
  if (!body.result) throw new Error(`${url} is no Foyer. Correct FOYER_URL.`);
  return body.result;
}

function toMessage({ status, headers }: Response, url: string, body: { data?: unknown }): string {
  if (status === 401) return 'Unauthenticated. Set FOYER_TOKEN to a valid API token.';
  if (status === 404 || typeof body.data !== 'string')
    return `${url} answered with the status ${status}. Correct FOYER_URL if it is no Foyer.`;
  const seconds = headers.get('retry-after');
  return seconds === null ? body.data : `${body.data} Wait ${seconds} seconds.`;
}

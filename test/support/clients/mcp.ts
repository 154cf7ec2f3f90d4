import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildServer } from '../harness/build.ts';

/** The protocol before 2026-07-28, and since then. */
type ProtocolEra = 'legacy' | 'modern';

/** What a tool returned. */
interface ToolOutcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
  result: any;
  isError: boolean;
}

export interface Agent {
  listTools: Client['listTools'];
  protocolVersion(): string | undefined;
  call(name: string, input?: object): Promise<ToolOutcome>;
  close(): Promise<void>;
}

interface AgentOptions {
  url: string;
  token: string;
  era?: ProtocolEra;
  name?: string;
}

/** Connects the client of the SDK over HTTP. */
export const connectAgent = ({ url, token, ...options }: AgentOptions): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
    options,
  );

/** Connects the client of the SDK to `foyer mcp`, in a process of its own. */
export async function connectStdioAgent({ url, token, ...options }: AgentOptions): Promise<Agent> {
  await buildServer();
  const env = { FOYER_URL: url, FOYER_TOKEN: token };
  return connect(
    new StdioClientTransport({ command: process.execPath, args: ['dist/cli/main.js', 'mcp'], env }),
    options,
  );
}

async function connect(
  transport: Parameters<Client['connect']>[0],
  { era = 'modern', name = 'test-agent' }: Pick<AgentOptions, 'era' | 'name'>,
): Promise<Agent> {
  const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' } as const;
  const client = new Client({ name, version: '1.2.3' }, { versionNegotiation });
  await client.connect(transport);
  return {
    listTools: (params) => client.listTools(params),
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    call: async (name, input = {}) => {
      const outcome = await client.callTool({ name, arguments: { ...input } });
      return { result: readToolResult(outcome), isError: outcome.isError ?? false };
    },
    close: () => client.close(),
  };
}

/** Returns the result of a call, which is sent once. It is text if the SDK has rejected the call. */
export function readToolResult(outcome: {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
}) {
  expect(outcome.structuredContent).toBeUndefined();
  const [first, ...others] = outcome.content ?? [];
  expect(others).toEqual([]);
  const text = first?.text ?? '';
  return text.startsWith('{') ? JSON.parse(text) : text;
}

/** Sends one message without a client. */
export async function sendMessage(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}

export const toRequest = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

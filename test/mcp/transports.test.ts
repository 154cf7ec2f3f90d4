import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => { app = await startApp({content:'seeded'}); });
afterAll(() => app.stop());

it.each(['legacy','auto'] as const)('works %s', async (mode) => {
  const token = await app.token('*');
  const client = new Client({ name: 'test-agent', version: '1.2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(app.url + '/mcp'), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  console.log(client.getServerVersion(), client.getNegotiatedProtocolVersion?.());
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(40);
  for (const { name, inputSchema } of tools) {
    if (!/^(list_|get_occ)/.test(name)) continue;
    const result = await client.callTool({ name, arguments: {} });
    console.log(name, result.isError, JSON.stringify(result.structuredContent).slice(0, 600));
  }
  await client.close();
});

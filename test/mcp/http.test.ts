import { randomUUID } from 'node:crypto';
import { describeTool } from '../../src/mcp/describe-tool.ts';
import { tools } from '../../src/mcp/tool-table.ts';
import { sendGraphql } from '../support/clients/api.ts';
import { connectAgent, readToolResult, sendMessage, toRequest } from '../support/clients/mcp.ts';
import { STAFF, serveDatabase, startApp, type TestApp } from '../support/harness/app.ts';

/** The lowest that the configuration accepts. */
const QUERY_BUDGET = 2_000;

let app: TestApp;
let authorization: string;
beforeAll(async () => {
  app = await startApp({ config: { CORS_ORIGINS: 'https://friend.example' } });
  authorization = `Bearer ${await app.token('*')}`;
});
afterAll(() => app.stop());

const LIST = toRequest('tools/list');
const send = (message: unknown, headers: Record<string, string> = { authorization }) =>
  sendMessage(app.url, message, headers);

it('answers a program that is no MCP client with JSON', async () => {
  const { status, headers, body } = await send(LIST, { authorization, accept: 'application/json' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ result: { tools: expect.any(Array) } });
});

describe('rejects with 401', () => {
  const rejects = async (headers: Record<string, string>) => {
    const { status, headers: answered, body } = await send(LIST, headers);
    expect([status, answered.get('www-authenticate'), body]).toEqual([
      401,
      'Bearer',
      { success: false, data: 'Unauthenticated.' },
    ]);
  };

  it('no token', () => rejects({}));
  it('an unknown token', () => rejects({ authorization: 'Bearer foyer_x' }));
  it('a session of staff', async () => rejects({ cookie: await app.signIn(STAFF.owner) }));
  it('the token of a device', async () => {
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const { deviceToken } = await app.display({ name: 'Hall', kind: 'kiosk', locationId });
    await rejects({ authorization: `Bearer ${deviceToken}` });
  });
  it('a token once it is revoked, also in a session that has begun', async () => {
    const token = await app.token('spaces:read');
    const agent = await connectAgent({ url: app.url, token });
    expect((await agent.call('list_locations')).isError).toBe(false);
    await app.ctx.db.apiToken.updateMany({
      where: { scopes: { equals: ['spaces:read'] } },
      data: { revokedAt: app.ctx.now() },
    });
    await expect(agent.call('list_locations')).rejects.toThrow();
    await rejects({ authorization: `Bearer ${token}` });
    await agent.close();
  });
});

it.each(['GET', 'DELETE', 'PUT'])('rejects %s, since there are no sessions', async (method) => {
  const { status, headers } = await fetch(`${app.url}/mcp`, { method, headers: { authorization } });
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

it.each([
  ['https://foreign.example', 403],
  ['http://127.0.0.1', 403],
  ['http://foyer.test', 200],
  ['https://friend.example', 200],
])('answers pages of %s with %i', async (origin, expected) => {
  const { status } = await send(LIST, { authorization, origin });
  expect(status).toBe(expected);
});

describe('rejects with 400', () => {
  it.each([
    ['a batch without messages', []],
    ['a batch of more than 20 messages', Array(21).fill(LIST)],
    ['a batch of something else', [LIST, 1]],
    ['a batch within a batch', [[LIST]]],
    ['text that is not JSON', '{"jsonrpc"'],
    ['a message that is too large', { ...LIST, padding: 'x'.repeat(200_000) }],
    ['a message with too many values', { ...LIST, padding: Array(5_000).fill(0) }],
    ['a message that is not JSON-RPC', { method: 'tools/list' }],
  ])('%s', async (_, message) => {
    const { status } = await send(message);
    expect(status).toBe(400);
  });

  it.each([
    undefined,
    null,
    {},
    { name: null },
    { name: { toString: 1 } },
    { name: 'x', version: { toString: 1 } },
  ])('a client that does not say its name properly: %j', async (clientInfo) => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    expect((await send(toRequest('initialize', params))).status).toBe(400);
  });
});

it('does not need a proper name in each request', async () => {
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: { toString: 1 } } };
  const { status } = await send(toRequest('tools/call', { name: 'list_locations', _meta }));
  expect(status).toBeLessThan(500);
});

it('takes null for every optional argument of a tool that only reads', async () => {
  const optional = tools
    .filter(({ effect }) => effect === 'read')
    .map(describeTool)
    .filter(({ inputSchema }) => inputSchema.required === undefined);
  expect(optional.length).toBeGreaterThan(10);
  for (const { name, inputSchema } of optional) {
    const given = Object.keys(inputSchema.properties ?? {}).map((key) => [key, null]);
    const call = toRequest('tools/call', { name, arguments: Object.fromEntries(given) });
    const { body } = await send(call);
    expect([name, body]).toEqual([name, { jsonrpc: '2.0', id: 1, result: expect.anything() }]);
    expect((body as { result: { isError?: boolean } }).result.isError).not.toBe(true);
  }
});

it('allows null in the schema of a tool that writes, where null clears', () => {
  const described = tools.filter(({ name }) => name === 'update_member').map(describeTool);
  expect(described[0]?.inputSchema.properties).toMatchObject({
    id: { type: 'string' },
    phone: { type: ['string', 'null'] },
  });
});

it('returns errors with the names of REST, and says where ids come from', async () => {
  const call = async (name: string, given: object) => {
    const { body } = await send(toRequest('tools/call', { name, arguments: given }));
    return readToolResult((body as Called).result).error;
  };
  const booking = await app.ctx.db.booking.findFirstOrThrow({
    where: { status: 'confirmed', startsAt: { gt: app.ctx.now() } },
  });
  const taken = await call('create_booking', {
    resource_id: booking.resourceId,
    starts_at: booking.startsAt.toISOString(),
    ends_at: booking.endsAt.toISOString(),
    guest: { name: 'Nora Lind' },
    idempotency_key: randomUUID(),
  });
  expect(JSON.stringify(taken)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  const unknown = await call('get_booking', { id: 'Atelier' });
  expect(unknown.message).toBe('No such booking. Send an id that a list tool returned.');
});

describe('a batch of the protocol of 2025-03-26', () => {
  const batch = [LIST, { jsonrpc: '2.0', method: 'notifications/initialized' }, { ...LIST, id: 2 }];

  it('gets the answers of its messages', async () => {
    const { status, body } = await send(batch);
    const result = { tools: expect.any(Array) };
    expect([status, body]).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 1, result },
        { jsonrpc: '2.0', id: 2, result },
      ],
    ]);
    const named = { authorization, 'mcp-protocol-version': '2025-03-26' };
    expect((await send([batch[1]], named)).status).toBe(202);
  });

  it('is rejected in other versions, and with an initialization', async () => {
    const later = { authorization, 'mcp-protocol-version': '2025-06-18' };
    expect((await send(batch, later)).status).toBe(400);
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    expect((await send([toRequest('initialize', params)])).status).toBe(400);
  });
});

it('gives arguments of the same name the same form in all tools', () => {
  const forms = new Map<string, Set<string>>();
  for (const tool of tools)
    for (const [name, value] of Object.entries(describeTool(tool).inputSchema.properties ?? {})) {
      // Null, defaults and limits differ. A status is a filter of lists, and a value elsewhere.
      const { type, items } = value as { type?: string | string[]; items?: object };
      if (name === 'status') continue;
      const form = JSON.stringify([[type].flat().filter((one) => one !== 'null'), items]);
      forms.set(name, (forms.get(name) ?? new Set()).add(form));
    }
  expect([...forms].filter(([, { size }]) => size > 1)).toEqual([]);
});

it('opens no stream, since there is nothing to subscribe to', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listen = toRequest('subscriptions/listen', {
    _meta: meta,
    notifications: { toolsListChanged: true },
  });
  const { body } = await send(listen, {
    authorization,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  });
  expect(body).toMatchObject({ error: { code: expect.any(Number) } });
});

describe('sessions', () => {
  const initialize = (clientInfo: object) =>
    send(toRequest('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));

  it('have ids that only name the agent, so that there is nothing to keep', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { headers } = await initialize({ name: 'many', version: '1' });
        return headers.get('mcp-session-id');
      }),
    );
    expect(new Set(ids).size).toBe(50);
    const forged = { authorization, 'mcp-session-id': `${randomUUID()}.bWFueSAx` };
    expect((await send(LIST, forged)).status).toBe(200);
  });

  it.each([
    ['a long name', { name: 'x'.repeat(10_000), version: '1' }, 'x'.repeat(100)],
    ['control characters', { name: 'a\u0000\u202e\nb', version: '1' }, 'a b 1'],
    ['letters of any script', { name: 'Ассистент', version: '1' }, 'Ассистент 1'],
  ])('shorten and clean %s', async (_, clientInfo, agent) => {
    const { headers } = await initialize(clientInfo);
    const session = { authorization, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const given = { title: 'Hello', idempotency_key: randomUUID() };
    const call = toRequest('tools/call', { name: 'create_announcement', arguments: given });
    const { body } = await send(call, session);
    const { announcement } = readToolResult((body as Called).result);
    const where = { subjectId: announcement.id };
    expect((await app.ctx.db.change.findFirstOrThrow({ where })).agent).toBe(agent);
  });
});

interface Called {
  result: Parameters<typeof readToolResult>[0];
}

describe('the query budget', () => {
  let limited: Awaited<ReturnType<typeof serveDatabase>>;
  beforeAll(async () => {
    const env = { QUERY_BUDGET: String(QUERY_BUDGET) };
    limited = await serveDatabase(app.database, () => app.clock.now, env);
  });
  afterAll(() => limited.close());

  it('limits calls, also those that fail, and is the same as that of GraphQL', async () => {
    const token = await app.token('spaces:read');
    const headers = { authorization: `Bearer ${token}` };
    const call = toRequest('tools/call', { name: 'list_members', arguments: {} });
    const statuses: number[] = [];
    for (let sent = 0; sent <= QUERY_BUDGET / 10; sent += 1)
      statuses.push((await sendMessage(limited.url, call, headers)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 200).length).toBe(QUERY_BUDGET / 10);
    const { headers: answered } = await sendMessage(limited.url, call, headers);
    expect(Number(answered.get('retry-after'))).toBeGreaterThan(0);
    expect(answered.get('foyer-error-reason')).toBe('QUERY_BUDGET_EXCEEDED');
    const query = '{ locations(first: 1) { nodes { id } } }';
    const { codes } = await sendGraphql(limited.url, query, {}, { token });
    expect(codes).toEqual(['RATE_LIMITED']);
  });
});

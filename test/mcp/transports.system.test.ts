import { type Agent, connectAgent, connectStdioAgent } from '../support/clients/mcp.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { killAll, runFoyer } from '../support/harness/processes.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  token = await app.token('*');
});
afterAll(async () => {
  killAll();
  await app.stop();
});

const TRANSPORTS = [
  ['http', 'legacy', '2025-11-25', connectAgent],
  ['http', 'modern', '2026-07-28', connectAgent],
  ['stdio', 'legacy', '2025-11-25', connectStdioAgent],
  ['stdio', 'modern', '2026-07-28', connectStdioAgent],
] as const;

describe.each(TRANSPORTS)('over %s, %s', (transport, era, version, connectWith) => {
  const name = `agent over ${transport} ${era}`;
  let agent: Agent;
  beforeAll(async () => {
    agent = await connectWith({ url: app.url, token, era, name });
  });
  afterAll(() => agent.close());

  it('speaks the protocol of the client', () => {
    expect(agent.protocolVersion()).toBe(version);
  });

  it('finds, books, moves and cancels, as the REST API shows', async () => {
    const { room } = await makeSpace(app);
    const resource_id = room.id;
    const day = { from: '2026-03-19T00:00:00Z', to: '2026-03-20T00:00:00Z' };
    const search = { resource_id, ...day, minutes: 60, slots_per_resource: 10 };
    const found = await agent.call('find_free_slots', search);
    const [{ free, slots }] = found.result.resources;
    expect(free).toHaveLength(1);
    const { starts_at, ends_at, price } = slots[0];
    const request = { resource_id, starts_at, ends_at, guest: { name: 'Gil' } };
    const { result } = await agent.call('preview_booking', request);
    expect(result.preview).toMatchObject({ allowed: true, price });

    const keyed = { ...request, idempotency_key: `book ${name}` };
    const booked = await agent.call('create_booking', keyed);
    expect(await agent.call('create_booking', keyed)).toEqual(booked);
    const { id } = booked.result.booking;
    const taken = await agent.call('create_booking', {
      ...request,
      idempotency_key: `two ${name}`,
    });
    expect(taken).toMatchObject({ isError: true, result: { error: { reason: 'SLOT_TAKEN' } } });

    const other = slots[4];
    const move = { id, starts_at: other.starts_at, ends_at: other.ends_at };
    expect((await agent.call('preview_reschedule', move)).result.preview.allowed).toBe(true);
    await agent.call('reschedule_booking', { ...move, idempotency_key: `move ${name}` });
    const cancelled = await agent.call('cancel_booking', { id, idempotency_key: `end ${name}` });
    const { body } = await app.rest(`/bookings/${id}`, { token });
    expect(body.data).toMatchObject({
      booking: { starts_at: other.starts_at, status: 'cancelled' },
    });
    expect(cancelled.result.booking).toMatchObject((body.data as { booking: object }).booking);
  });

  it('says in the audit log which agent did it', async () => {
    const keyed = { title: 'Hello', idempotency_key: `say ${name}` };
    const { result } = await agent.call('create_announcement', keyed);
    const change = await app.ctx.db.change.findFirstOrThrow({
      where: { subjectId: result.announcement.id },
    });
    expect(change).toMatchObject({
      agent: `${name} 1.2.3`,
      actorKind: 'token',
      requestId: expect.any(String),
    });
    const { body } = await app.rest('/changes?types=announcement.*&limit=100', { token });
    const { changes } = body.data as { changes: { id: string; agent: string }[] };
    expect(changes.find(({ id }) => id === change.id)?.agent).toBe(change.agent);
  });
});

describe('foyer mcp', () => {
  it('says what to do without a token', async () => {
    const { code, stderr } = await runFoyer(['mcp'], { FOYER_URL: app.url });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Set FOYER_TOKEN to an API token/)]);
  });

  it('answers everything that was asked before its input ended', async () => {
    const clientInfo = { name: 'echo', version: '1.2.3' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const calls = Array.from({ length: 9 }, (_, n) => ({
      ...{ jsonrpc: '2.0', id: n + 2, method: 'tools/call' },
      params: { name: 'list_locations', arguments: {} },
    }));
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ...calls,
    ];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const env = { FOYER_URL: app.url, FOYER_TOKEN: token };
    const { code, stdout } = await runFoyer(['mcp'], env, input);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers.map(({ id }) => id).sort((one, other) => one - other)).toEqual([
      1,
      ...calls.map(({ id }) => id),
    ]);
    expect(answers.filter(({ result }) => result.isError)).toEqual([]);
  });

  it.each([
    ['with another token', { token: 'foyer_wrong' }, /Set FOYER_TOKEN to a valid API token/],
    ['without the service', { url: 'http://127.0.0.1:1' }, /Foyer does not answer at .* Start it/],
    ['with the URL of a page', { path: '/healthz' }, /Correct FOYER_URL/],
  ])('says what to do %s', async (_, { path = '', ...options }: Options, message) => {
    const agent = await connectStdioAgent({ url: app.url + path, token, ...options });
    const { isError, result } = await agent.call('list_locations');
    await agent.close();
    expect({ isError, result }).toEqual({ isError: true, result: expect.stringMatching(message) });
  });
});

interface Options {
  path?: string;
  url?: string;
  token?: string;
}

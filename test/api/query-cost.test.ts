import { v7 } from 'uuid';
import { readConfig } from '../../src/config.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { NOW } from '../support/factories/seed.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

const BUDGET = 6_000;
const ANONYMOUS_BUDGET = 2_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({
    config: {
      QUERY_BUDGET: String(BUDGET),
      ANONYMOUS_QUERY_BUDGET: String(ANONYMOUS_BUDGET),
      TRUST_PROXY: '1',
    },
  });
  await addRowsForLists(app);
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

interface Caller {
  token?: string;
  address?: string;
}

async function send(query: string, { token, address }: Caller, variables: object = {}) {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(address && { 'x-forwarded-for': address }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data, errors, extensions } = JSON.parse(text);
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    data,
    error: errors?.[0],
    cost: extensions?.cost,
    /** Only PostgreSQL writes line breaks. */
    isPlanned: text.includes('\n'),
  };
}

const newCaller = async (...scopes: string[]): Promise<Caller> => ({
  token: await app.token(...(scopes.length === 0 ? ['*'] : scopes)),
});

const EXPENSIVE = '{ members(first: 100) { nodes { id bookings(first: 18) { nodes { id } } } } }';
const EXPENSIVE_COST = 1 + 100 + 100 * 18;

describe('the cost of a query', () => {
  it.each<[query: string, requested: number, variables?: object]>([
    ['{ viewer { kind name } }', 1],
    ['{ viewer { kind } me { name team { name } } }', 2],
    ['{ bookings(first: 3) { nodes { id member { name } } } }', 4],
    ['{ bookings { nodes { id } } }', 51],
    ['{ bookings(last: 7) { totalCount { text } pageInfo { endCursor } } }', 3],
    ['{ members(first: 3) { nodes { bookings { totalCount { value } } } } }', 1 + 3 * (1 + 1)],
    ['{ __schema { types { name } } }', 1 + 5],
    ['{ bookings(first: 3) { edges { node { id } } nodes { id } } }', 7],
    ['{ events(first: 3) { nodes { id ticketTypes { name } } } }', 1 + 3 * (1 + 5)],
    ['{ a: bookings(first: 3) { nodes { id } } b: bookings(first: 4) { nodes { id } } }', 9],
    [
      '{ ...A bookings(first: 3) { nodes { id } } } fragment A on Query { bookings(first: 3) { nodes { title } } }',
      4,
    ],
    [
      'query ($n: Int!, $m: Int = 2) { members(first: $n) { nodes { bookings(first: $m) { nodes { id } } } } }',
      1 + 10 + 20,
      { n: 10 },
    ],
    [
      'query ($all: Boolean!) { bookings(first: 3) { nodes @include(if: $all) { id } } }',
      1,
      { all: false },
    ],
    ['{ displays(first: 2) { nodes { statusChanges(last: 3) { at } } } }', 1 + 2 * (1 + 3)],
    [
      '{ resources(first: 2) { nodes { availability { free { startsAt } } } } }',
      1 + 2 * (1 + 8 + 5),
    ],
    ['{ members(first: 2) { nodes { bookings { nodes { id } } } } }', 1 + 2 * (1 + 10)],
    ['query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', 4, { ids: [v7(), v7(), v7()] }],
    ['mutation { signOut { viewer { kind } } }', 1],
  ])('is computed from its page sizes: %s', async (query, requested, variables = {}) => {
    const { cost } = await send(query, await newCaller(), variables);
    expect(cost).toMatchObject({ requested, budget: BUDGET, restoredPerSecond: BUDGET / 60 });
  });

  it('is at the end what the response contains, and the rest is given back', async () => {
    const caller = await newCaller();
    const query =
      '{ bookings(first: 9) { nodes { id } } events(first: 2) { nodes { id ticketTypes { id } } } }';
    const { data, cost } = await send(query, caller);
    const items = [
      data.bookings.nodes,
      data.events.nodes,
      ...data.events.nodes.map(({ ticketTypes }: { ticketTypes: object[] }) => ticketTypes),
    ].flat();
    expect(items.length).toBeGreaterThan(5);
    expect(cost.actual).toBe(2 + items.length);
    expect(cost.remaining).toBe(BUDGET - cost.actual);
  });

  it('is the same if PostgreSQL writes the response', async () => {
    const caller = await newCaller();
    const query =
      'query ($n: Int!) { members(first: $n) { nodes { id bookings(first: 2) { edges { node { id } } } } } events(first: 3) { nodes { id ticketTypes { name } } } }';
    const [executed, planned] = [
      await send(query, caller, { n: 5 }),
      await send(query, caller, { n: 5 }),
    ];
    expect([executed.isPlanned, planned.isPlanned]).toEqual([false, true]);
    expect(planned.data).toEqual(executed.data);
    const { requested, actual } = executed.cost;
    expect(planned.cost).toEqual({ ...executed.cost, remaining: BUDGET - 2 * actual });
    expect([requested, actual > 2]).toEqual([2 + 5 * 3 + 3 * 6, true]);
    // Other page sizes of the same document.
    expect((await send(query, caller, { n: 6 })).cost.requested).toBe(2 + 6 * 3 + 3 * 6);
  });

  it('is one point if the field is not allowed', async () => {
    const { error, cost } = await send(EXPENSIVE, await newCaller('spaces:read'));
    expect(error.extensions.code).toBe('FORBIDDEN');
    expect(cost).toMatchObject({ requested: EXPENSIVE_COST, actual: 1, remaining: BUDGET - 1 });
  });

  it('is one point at the start of a subscription, and that of a query for each event', async () => {
    const caller = await newCaller();
    const { body } = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${caller.token}`,
      },
      body: JSON.stringify({ query: 'subscription { occupancyChanged { present } }' }),
    });
    const locations = await app.ctx.db.location.count();
    let events = 0;
    for await (const chunk of body ?? []) {
      events += new TextDecoder().decode(chunk).split('occupancyChanged').length - 1;
      if (events === locations) break;
    }
    const { cost } = await send('{ viewer { kind } }', caller);
    expect(cost.remaining).toBe(BUDGET - 1 - locations - 1);
  });
});

describe('beyond the budget', () => {
  /** Spends until 1,800 points are left, or fewer. */
  async function spend(caller: Caller): Promise<number> {
    let remaining = BUDGET;
    while (remaining > 1_800)
      ({ remaining } = (await send('{ errorReasons { reason } }', caller)).cost);
    return remaining;
  }

  it.each<[what: string, comment: string, size: number]>([
    ['resolvers execute', '#', 2],
    ['PostgreSQL answers', '', 0],
  ])('a query that %s gets 429, and works after Retry-After', async (_, comment, size) => {
    const caller = await newCaller();
    await send(EXPENSIVE, caller);
    const { isPlanned } = await send(EXPENSIVE, caller);
    expect(isPlanned).toBe(true);
    const remaining = (await spend(caller)) - size;
    const query = `${EXPENSIVE}${comment}`;
    const missing = EXPENSIVE_COST - remaining;
    const retryAfterSeconds = Math.ceil(missing / (BUDGET / 60));
    const rejected = await send(query, caller);
    expect(rejected).toMatchObject({
      status: 429,
      retryAfter: String(retryAfterSeconds),
      data: undefined,
      error: {
        message: `The request costs 1,901 points, but only ${remaining.toLocaleString('en')} of your ${BUDGET.toLocaleString('en')} are left. Try again in ${retryAfterSeconds} seconds, or request smaller pages.`,
        extensions: {
          code: 'RATE_LIMITED',
          reason: 'QUERY_BUDGET_EXCEEDED',
          retryAfterSeconds,
          limit: BUDGET,
        },
      },
    });
    app.clock.now = new Date(NOW.getTime() + retryAfterSeconds * 1000 - 1000);
    const { status, retryAfter } = await send(query, caller);
    expect([status, Number(retryAfter)]).toEqual([429, 1]);
    app.clock.now = new Date(NOW.getTime() + retryAfterSeconds * 1000);
    expect((await send(query, caller)).status).toBe(200);
  });

  it('a query that is not affordable costs its size, as it was parsed', async () => {
    const caller = await newCaller();
    const remaining = await spend(caller);
    expect((await send(`${EXPENSIVE}#${'-'.repeat(2_000)}`, caller)).status).toBe(429);
    const { cost } = await send('{ viewer { kind } }', caller);
    expect(remaining - 1 - cost.remaining).toBe(3 + 21);
  });

  it('a mutation is not executed', async () => {
    const caller = await newCaller();
    await spend(caller);
    const create = `mutation { createTeam(input: { name: "T" }) { team { members(first: 100) { nodes { bookings(first: 18) { nodes { id } } } } } } }`;
    const before = await app.ctx.db.team.count();
    expect((await send(create, caller)).status).toBe(429);
    expect(await app.ctx.db.team.count()).toBe(before);
    expect((await send(create, await newCaller())).status).toBe(200);
    expect(await app.ctx.db.team.count()).toBe(before + 1);
  });

  it('other callers are not affected, and cheap queries still work', async () => {
    const caller = await newCaller();
    await spend(caller);
    expect((await send(EXPENSIVE, caller)).status).toBe(429);
    expect((await send(EXPENSIVE, await newCaller())).status).toBe(200);
    expect((await send('{ viewer { kind } }', caller)).status).toBe(200);
  });

  it('anonymous callers are counted by IPv4 address or IPv6 /64', async () => {
    const remaining = async (address: string) =>
      (await send('{ viewer { kind } }', { address })).cost.remaining;
    expect(await remaining('203.0.113.1')).toBe(ANONYMOUS_BUDGET - 1);
    expect(await remaining('203.0.113.1')).toBe(ANONYMOUS_BUDGET - 2);
    expect(await remaining('203.0.113.2')).toBe(ANONYMOUS_BUDGET - 1);
    expect(await remaining('2001:db8::1')).toBe(ANONYMOUS_BUDGET - 1);
    expect(await remaining('2001:db8::2')).toBe(ANONYMOUS_BUDGET - 2);
    expect(await remaining('2001:db8:0:1::1')).toBe(ANONYMOUS_BUDGET - 1);
  });

  it.each<[what: string, query: string, variables: object, points: number]>([
    ['fields that do not exist', `{ ${'x'.repeat(960)} }`, {}, 1 + 10],
    ['text that is no document', '{'.repeat(964), {}, 1 + 10],
    [
      'variables of the wrong type',
      'query ($n: Int) { bookings(first: $n) { nodes { id } } }',
      { n: 'x'.repeat(4_900) },
      5 + 1,
    ],
    ['too many levels', `{${' viewer {'.repeat(20)} kind ${'}'.repeat(21)}`, {}, 1 + 3],
  ])('a request that is rejected costs its size: %s', async (_, query, variables, points) => {
    const caller = await newCaller();
    expect((await send(query, caller, variables)).error.extensions.code).toBe('BAD_REQUEST');
    const { cost } = await send('{ viewer { kind } }', caller);
    expect(BUDGET - 1 - cost.remaining).toBe(points);
  });

  describe('a request to another API', () => {
    const post = (path: string, { token, address }: Caller, body: string) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(address && { 'x-forwarded-for': address }),
        },
        body,
      });
    const countSpent = async (budget: number, caller: Caller) =>
      budget - 1 - (await send('{ viewer { kind } }', caller)).cost.remaining;

    it('costs its size if REST rejects it, and nothing if not', async () => {
      const caller = await newCaller();
      const rejected = await post('/members', caller, `{"x":"${'x'.repeat(4_900)}"}`);
      expect(rejected.status).toBe(422);
      expect(await countSpent(BUDGET, caller)).toBe(5);
      const accepted = await post('/members', caller, '{"name":"Ada","email":"ada@example.org"}');
      expect(accepted.status).toBe(201);
      expect(await countSpent(BUDGET, caller)).toBe(5 + 1);
    });

    it('is not parsed by REST if its size is not affordable', async () => {
      const caller = { address: '198.51.100.8' };
      const read = () => post(`/public/events/${v7()}/orders`, caller, '{'.repeat(190_000));
      for (let spent = 0; spent + 191 <= ANONYMOUS_BUDGET; spent += 191)
        expect((await read()).status).toBe(400);
      expect((await read()).status).toBe(429);
    });

    it('costs its size if it calls a tool', async () => {
      const caller = await newCaller();
      const params = { name: 'list_locations', arguments: { x: 'x'.repeat(4_800) } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      expect((await post('/mcp', caller, JSON.stringify(message))).status).toBe(200);
      expect(await countSpent(BUDGET, caller)).toBe(9 + 5 + 50);
    });

    it('is not parsed by tools if its size is not affordable', async () => {
      const caller = await newCaller();
      const read = () => post('/mcp', caller, '{'.repeat(190_000));
      for (let spent = 0; spent + 200 <= BUDGET; spent += 200)
        expect((await read()).status).toBe(400);
      expect((await read()).status).toBe(429);
    });
  });

  it.each<[what: string, params: object]>([
    ['a number', { query: 5 }],
    ['an object with a length', { query: { length: -1e9 } }],
    ['nothing', { query: null }],
    ['nothing beside an id', { query: null, documentId: 'x' }],
  ])('a request whose document is %s is rejected and costs its size', async (_, params) => {
    const caller = await newCaller();
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.token}` },
      body: JSON.stringify(params),
    });
    expect([400, 404]).toContain(response.status);
    const { cost } = await send('{ viewer { kind } }', caller);
    expect(BUDGET - 1 - cost.remaining).toBe(1);
  });

  it('a document is not parsed if its size is not affordable', async () => {
    const address = '198.51.100.7';
    const query = `{ ${'y'.repeat(19_900)} }`;
    for (let spent = 0; spent + 220 <= ANONYMOUS_BUDGET; spent += 220) {
      const { error } = await send(`${query}#${spent}`, { address });
      expect(error.message).toContain('Cannot query field');
    }
    expect(await send(query, { address })).toMatchObject({
      status: 429,
      error: { extensions: { reason: 'QUERY_BUDGET_EXCEEDED' } },
    });
  });

  it.each(['1999', 'many', '-5', '9999999999'])(
    'a budget that is not a number of points is rejected at startup: %s',
    (budget) => {
      expect(() => readConfig({ QUERY_BUDGET: budget })).toThrow(
        'QUERY_BUDGET: must be a number of points from 2000',
      );
    },
  );
});

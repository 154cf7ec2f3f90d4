import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: { cookie: string };
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  owner = { cookie: await app.signIn(STAFF.owner) };
});
beforeEach(() => {
  logged.length = 0;
});
afterAll(() => app.stop());

const complaints = () => logged.filter((line) => JSON.parse(line).level >= 50);

const CASES: [what: string, code: string, text: string, variables?: object][] = [
  ['a query that is not GraphQL', 'BAD_REQUEST', '{ viewer { '],
  ['an unknown field', 'BAD_REQUEST', '{ viewer { age } }'],
  ['no operation', 'BAD_REQUEST', 'fragment F on Viewer { kind }'],
  [
    'a variable of another type',
    'BAD_REQUEST',
    'query ($n: Int) { events(first: $n) { edges { cursor } } }',
    { n: 'x' },
  ],
  ['a missing variable', 'BAD_REQUEST', 'query ($s: String!) { event(slug: $s) { id } }'],
  [
    'an invalid time',
    'BAD_REQUEST',
    'query ($t: DateTime) { events(filter: { from: $t }) { edges { cursor } } }',
    { t: 'noon' },
  ],
  [
    'a year that the database does not support',
    'BAD_REQUEST',
    'query ($t: DateTime) { events(filter: { from: $t }) { edges { cursor } } }',
    { t: '0000-01-01T00:00:00Z' },
  ],
  [
    '30 February',
    'BAD_REQUEST',
    'query ($t: DateTime) { events(filter: { from: $t }) { edges { cursor } } }',
    { t: '2026-02-30T09:00:00Z' },
  ],
  [
    'a page size over the maximum',
    'BAD_REQUEST',
    'query ($n: Int) { events(first: $n) { edges { cursor } } }',
    { n: 101 },
  ],
  [
    'a NUL in a text',
    'BAD_REQUEST',
    'query ($s: String!) { event(slug: $s) { id } }',
    { s: 'a\0b' },
  ],
  [
    'an unknown object',
    'NOT_FOUND',
    'query ($s: String!) { event(slug: $s) { id } }',
    { s: 'none' },
  ],
  [
    'too many fields',
    'BAD_REQUEST',
    `{ ${Array.from({ length: 31 }, (_, i) => `v${i}: viewer { kind }`).join(' ')} }`,
  ],
  ['a query too deep', 'BAD_REQUEST', `{ ${'viewer { '.repeat(20)} kind ${'}'.repeat(20)} }`],
  [
    'a query that is too complex',
    'BAD_REQUEST',
    '{ bookings(first: 100) { nodes { member { bookings(first: 100) { nodes { id } } } } } }',
  ],
];

describe('a client error', () => {
  it.each(CASES)(
    'has an error code every time and is not logged: %s',
    async (_, code, text, variables = {}) => {
      // From the second time on, the same document runs compiled.
      for (let time = 1; time <= 3; time += 1) {
        const { codes, errors } = await app.graphql(text, variables, owner);
        expect([time, [...new Set(codes)]]).toEqual([time, [code]]);
        expect(errors[0]?.message).toMatch(/./);
      }
      expect(complaints()).toEqual([]);
    },
  );

  it('is not reported for an omitted variable with a default', async () => {
    const text =
      'query ($id: ID!, $last: Int! = 3) { display: displays(first: $last, filter: { locationId: $id }) { edges { cursor } } }';
    const { id } = await app.ctx.db.location.findFirstOrThrow();
    for (let time = 1; time <= 3; time += 1) {
      expect((await app.graphql(text, { id }, owner)).codes).toEqual([]);
    }
  });

  it('is UNAUTHENTICATED without a credential and with an invalid one', async () => {
    for (let time = 1; time <= 3; time += 1) {
      const none = await app.graphql('{ members { edges { cursor } } }');
      expect(none.errors).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/^Unauthenticated\. Sign in/),
          extensions: { code: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
        }),
      ]);
      const bad = await app.graphql('{ viewer { kind } }', {}, { token: 'nonsense' });
      expect([bad.status, bad.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    }
  });
});

describe('a request that is not valid GraphQL over HTTP', () => {
  const mutation = `?query=${encodeURIComponent('mutation { signOut { viewer { kind } } }')}`;
  it.each<[what: string, status: number, method: string, query: string, body: unknown]>([
    ['an empty object', 400, 'POST', '', {}],
    ['a batch', 400, 'POST', '', []],
    ['a list of variables', 400, 'POST', '', { query: '{ viewer { kind } }', variables: [1] }],
    ['PUT', 405, 'PUT', '', { query: '{ viewer { kind } }' }],
    ['a mutation by GET', 405, 'GET', mutation, undefined],
  ])('has a reason: %s', async (_, status, method, query, body) => {
    const response = await fetch(`${app.url}/graphql${query}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toEqual([
      status,
      {
        errors: [
          {
            message: expect.any(String),
            extensions: { code: 'BAD_REQUEST', reason: 'INVALID_QUERY' },
          },
        ],
      },
    ]);
  });
});

describe('a server error', () => {
  it('is INTERNAL without details and is logged, compiled or not', async () => {
    await app.ctx.db.$executeRaw`ALTER TABLE ticket_types RENAME TO elsewhere`;
    for (let time = 1; time <= 3; time += 1) {
      const { errors } = await app.graphql('{ event(slug: "open-house") { id } }');
      expect(errors).toEqual([
        expect.objectContaining({
          message: 'Something went wrong on our side.',
          extensions: { code: 'INTERNAL', reason: 'INTERNAL' },
        }),
      ]);
      expect(complaints()).toHaveLength(time);
    }
    expect(complaints()[0]).toContain('ticket_types');
    await app.ctx.db.$executeRaw`ALTER TABLE elsewhere RENAME TO ticket_types`;
    expect((await app.graphql('{ event(slug: "open-house") { slug } }')).codes).toEqual([]);
  });
});

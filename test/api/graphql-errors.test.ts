import { STAFF, startApp, type TestApp } from '../support/app.ts';

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

const longPage = (alias: string) => `${alias}: bookings(first: 100) { edges { node {
  id status title startsAt endsAt createdAt resource { id name type } location { id name timeZone }
  member { id name email } price { amount currency } } } }`;

const CASES: [what: string, code: string, text: string, variables?: object][] = [
  ['a query that is not GraphQL', 'BAD_REQUEST', '{ viewer { '],
  ['a field that is not there', 'BAD_REQUEST', '{ viewer { age } }'],
  ['no operation', 'BAD_REQUEST', 'fragment F on Viewer { kind }'],
  [
    'a variable of another type',
    'BAD_REQUEST',
    'query ($n: Int) { events(first: $n) { edges { cursor } } }',
    { n: 'x' },
  ],
  ['a variable that is missing', 'BAD_REQUEST', 'query ($s: String!) { event(slug: $s) { id } }'],
  [
    'a time that is none',
    'BAD_REQUEST',
    'query ($t: DateTime) { events(filter: { from: $t }) { edges { cursor } } }',
    { t: 'noon' },
  ],
  [
    'a year that no database knows',
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
    'a page too long',
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
    'a thing that is not there',
    'NOT_FOUND',
    'query ($s: String!) { event(slug: $s) { id } }',
    { s: 'none' },
  ],
  [
    'too many fields at once',
    'BAD_REQUEST',
    `{ ${Array.from({ length: 31 }, (_, i) => `v${i}: viewer { kind }`).join(' ')} }`,
  ],
  ['a query too deep', 'BAD_REQUEST', `{ ${'viewer { '.repeat(20)} kind ${'}'.repeat(20)} }`],
  ['more than a page holds', 'BAD_REQUEST', `{ ${['a', 'b', 'c', 'd'].map(longPage).join(' ')} }`],
];

describe('what a caller got wrong', () => {
  it.each(CASES)(
    'is told with a code of ours, the third time as the first, and no word to the log: %s',
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

  it('is not a variable that is left out and has a default', async () => {
    const text =
      'query ($id: ID!, $last: Int! = 3) { display: displays(first: $last, locationId: $id) { edges { cursor } } }';
    const { id } = await app.ctx.db.location.findFirstOrThrow();
    for (let time = 1; time <= 3; time += 1) {
      expect((await app.graphql(text, { id }, owner)).codes).toEqual([]);
    }
  });

  it('is UNAUTHENTICATED without a credential and with one that does not hold', async () => {
    for (let time = 1; time <= 3; time += 1) {
      const none = await app.graphql('{ members { edges { cursor } } }');
      expect(none.errors).toEqual([
        expect.objectContaining({
          message: 'Unauthenticated.',
          extensions: { code: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
        }),
      ]);
      const bad = await app.graphql('{ viewer { kind } }', {}, { token: 'nonsense' });
      expect([bad.status, bad.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    }
  });
});

describe('what we got wrong', () => {
  it('is INTERNAL, shows nothing and is told to the log, compiled or not', async () => {
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

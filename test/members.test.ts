import fc from 'fast-check';
import { type Credential, startApp, type TestApp } from './support/app.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let everybody: { id: string; name: string; email: string; status: string }[];

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:write') };
  everybody = await app.ctx.db.member.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
});
afterAll(() => app.stop());

const MEMBER = 'id name email phone company status code createdAt';

async function walk(filter: object, first: number) {
  const text = `query ($filter: MemberFilter, $first: Int, $after: String) {
    members(filter: $filter, first: $first, after: $after) {
      edges { node { id } } pageInfo { endCursor hasNextPage } } }`;
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const { data } = await app.graphql(text, { filter, first, after }, reader);
    ids.push(...data.members.edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!data.members.pageInfo.hasNextPage) return ids;
    after = data.members.pageInfo.endCursor;
  }
}

const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }`,
    { input },
    as,
  );

describe('members', () => {
  it('come page by page by name, each once, whatever is searched for', async () => {
    const letters = everybody.flatMap(({ name, email }) => [
      name.slice(0, 4),
      name.toUpperCase(),
      email.split('@')[1] ?? '',
    ]);
    const filters = fc.record({
      q: fc.option(fc.constantFrom(...letters, '%', '_', '\\', 'nobody'), { nil: undefined }),
      status: fc.option(fc.constantFrom('ACTIVE', 'PAUSED', 'FORMER'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 3, max: 50 }), async (filter, first) => {
        const q = filter.q?.trim().toLowerCase() ?? '';
        const found = everybody.filter(
          ({ name, email, status }) =>
            (name.toLowerCase().includes(q) || email.includes(q)) &&
            status.toUpperCase() === (filter.status ?? status.toUpperCase()),
        );
        expect(await walk(filter, first)).toEqual(found.map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it('tell all that is known of them, to who may know it', async () => {
    const text = `{ members(filter: { q: "ben@" }) { edges { node { ${MEMBER} } } } }`;
    const { data } = await app.graphql(text, {}, reader);
    const row = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
    expect(data.members.edges).toEqual([
      {
        node: {
          id: row.id,
          name: 'Ben Okafor',
          email: 'ben@example.org',
          phone: row.phone,
          company: row.company,
          status: 'ACTIVE',
          code: row.code,
          createdAt: row.createdAt.toISOString(),
        },
      },
    ]);
    expect((await app.graphql(text, {}, writer)).codes).toEqual(['FORBIDDEN']);
  });

  it('are not searched for nothing', async () => {
    const { codes } = await app.graphql(
      '{ members(filter: { q: " " }) { edges { cursor } } }',
      {},
      reader,
    );
    expect(codes).toEqual(['VALIDATION']);
  });
});

describe('a new member', () => {
  it('is active, has a code of their own and an address in lower case', async () => {
    const all = { token: await app.token('members:read', 'members:write') };
    const { data } = await app.graphql(
      `mutation ($input: CreateMemberInput!) { createMember(input: $input) { ${MEMBER} } }`,
      { input: { name: ' Noor Haddad ', email: 'Noor@Example.org', company: 'Noor & Co' } },
      all,
    );
    expect(data.createMember).toMatchObject({
      name: 'Noor Haddad',
      email: 'noor@example.org',
      phone: null,
      company: 'Noor & Co',
      status: 'ACTIVE',
    });
    expect(data.createMember.code).toMatch(/^[2-9B-DF-HJ-NP-TV-XZ]{10}$/);
    const again = await create({ name: 'Noor', email: 'NOOR@example.org' });
    expect(again.errors[0]?.extensions).toEqual({ code: 'CONFLICT', reason: 'TAKEN' });
  });

  it.each([
    ['without a name', { name: ' ', email: 'x@example.org' }, 'VALIDATION'],
    ['without an address', { name: 'X', email: 'example.org' }, 'VALIDATION'],
    ['with too long a name', { name: 'x'.repeat(201), email: 'x@example.org' }, 'VALIDATION'],
    ['with a NUL in the name', { name: 'X\0', email: 'x@example.org' }, 'BAD_REQUEST'],
    ['with a field that is not there', { name: 'X', email: 'x@a.org', vip: 1 }, 'BAD_REQUEST'],
  ])('is refused %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('may be added by who may write and cannot read, as far as the answer tells nothing more', async () => {
    const input = { name: 'Quiet', email: 'quiet@example.org' };
    expect((await create(input)).codes).toEqual([]);
    expect((await create(input, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

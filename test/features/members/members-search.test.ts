import fc from 'fast-check';
import { v7 } from 'uuid';
import { createTeam } from '../../../src/features/teams/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

interface Person {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: string;
  team: { name: string } | null;
}

/** What a search finds a member by. The demo has no letters with a stroke. */
const toTexts = ({ name, email, company, team }: Omit<Person, 'status'>) =>
  [name, email, company, team?.name]
    .filter((text) => text != null)
    .map((text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());

let app: TestApp;
let reader: Credential;
let writer: Credential;
let everybody: Person[];

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:write') };
  everybody = await app.ctx.db.member.findMany({
    include: { team: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
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
    `mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }`,
    { input },
    as,
  );

const toDigits = (text: string | null) => (text ?? '').replace(/\D/g, '');

/** The rule of the search for phone numbers, of texts that do not begin with a plus sign or zeros. */
const includesPhone = ({ phone }: Pick<Person, 'phone'>, q: string) =>
  /^[\d ]+$/.test(q) && toDigits(q).length > 3 && toDigits(phone).includes(toDigits(q));

/** The rule of the search: one or two letters are the beginning of a word. */
const includesText = (text: string, q: string) =>
  q.length > 2 ? text.includes(q) : ` ${text}`.includes(` ${q}`);

describe('members', () => {
  it('are found by the digits of their phone, however it is written', async () => {
    const phones = ['+49 30 1234-567', '030/1234567', '(030) 123 45 67', '0049301234567'];
    const ids = await Promise.all(
      phones.map(async (phone, n) => {
        const input = { name: `Phone ${n}`, email: `phone-${n}@example.net`, phone };
        return (await create(input)).data.createMember.member.id as string;
      }),
    );
    const find = async (q: string) => (await walk({ q }, 50)).sort();
    for (const q of [...phones, '30 1234', '+49 (30) 1234567', '0 30 12 34'])
      expect([q, await find(q)]).toEqual([q, [...ids].sort()]);
    // Numbers without a country code can be of any country.
    expect(await find('+48 30 1234567')).toEqual([ids[1], ids[2]].sort());
    for (const q of ['567', '+49 31 1234567', '030/1234568'])
      expect([q, await find(q)]).toEqual([q, []]);
    await app.ctx.db.member.deleteMany({ where: { id: { in: ids } } });
  });

  it('are paginated by name with any search', async () => {
    const letters = everybody.flatMap(({ name, email, company, phone, team }) => [
      name.slice(0, 4),
      ...[1, 2, 3].map((length) => name.slice(2, 2 + length)),
      (name.split(' ').at(-1) ?? '').slice(0, 2),
      name.toUpperCase(),
      email.split('@')[1] ?? '',
      ...[company, phone, team?.name].map((text) => text?.slice(1, 6) ?? name),
    ]);
    const filters = fc.record({
      q: fc.option(
        fc.constantFrom(...letters.filter((text) => text.trim() !== ''), '%', '_', '\\', 'nobody'),
        { nil: undefined },
      ),
      status: fc.option(fc.subarray(['ACTIVE', 'PAUSED', 'FORMER'], { minLength: 1 }), {
        nil: undefined,
      }),
    });
    await checkProperty(
      fc.asyncProperty(filters, fc.integer({ min: 3, max: 50 }), async (filter, first) => {
        const q = (filter.q ?? '').trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
        const found = everybody.filter(
          ({ status, ...member }) =>
            (toTexts(member).some((text) => includesText(text, q)) || includesPhone(member, q)) &&
            (filter.status?.includes(status.toUpperCase()) ?? true),
        );
        expect(await walk(filter, first)).toEqual(found.map(({ id }) => id));
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('are found without their accents, by name, company, phone and team', async () => {
    const team = await createTeam(app.ctx, { name: 'Żagle Łódź' });
    const { id } = await app.ctx.db.member.create({
      data: {
        name: 'Małgorzata Zielińska',
        email: 'mz@example.org',
        code: 'ZIELINSKA',
        company: 'Straße & Søn',
        phone: '+48 22 555',
        teamId: team.id,
      },
    });
    for (const q of [
      'zielinska',
      'ZIELIŃSKA',
      'malgo',
      'zi',
      'strasse',
      'son',
      '22 555',
      'zagle lodz',
    ])
      expect([q, await walk({ q }, 10)]).toEqual([q, expect.arrayContaining([id])]);
    expect(await walk({ q: 'zielinskas' }, 10)).toEqual([]);
    await app.ctx.db.member.delete({ where: { id } });
    await app.ctx.db.team.delete({ where: { id: team.id } });
  });

  it('can be filtered by plan, by having none, and by erasure', async () => {
    const { db } = app.ctx;
    const plan = await db.plan.create({ data: { name: 'Filter' } });
    const team = await createTeam(app.ctx, { name: 'Filtered' });
    const people = ['own', 'team', 'ended', 'future', 'none'].map((name) => ({
      name: `Filter ${name}`,
      email: `filter-${name}@example.org`,
      code: `FILTER${name}`,
      teamId: name === 'team' ? team.id : null,
    }));
    const erased = { name: 'Deleted person', email: `deleted-${v7()}@deleted.invalid`, code: 'X0' };
    const rows = await db.member.createManyAndReturn({ data: [...people, erased] });
    const idOf = (name: string) => rows.find((row) => row.name === `Filter ${name}`)?.id ?? '';
    const today = app.clock.now.getTime();
    const day = (days: number) => new Date(today + days * 86_400_000);
    await db.membership.createMany({
      data: [
        { planId: plan.id, memberId: idOf('own'), startsOn: day(0), endsOn: day(0) },
        { planId: plan.id, teamId: team.id, startsOn: day(-9) },
        { planId: plan.id, memberId: idOf('ended'), startsOn: day(-9), endsOn: day(-1) },
        { planId: plan.id, memberId: idOf('future'), startsOn: day(1) },
      ],
    });
    const q = 'filter-';
    expect(await walk({ planId: plan.id }, 10)).toEqual([idOf('own'), idOf('team')]);
    expect(await walk({ planId: plan.id, withoutPlan: true }, 10)).toEqual([]);
    const without = [idOf('ended'), idOf('future'), idOf('none')];
    expect(await walk({ withoutPlan: true, q }, 10)).toEqual(without);
    const erasedId = rows.at(-1)?.id;
    expect(await walk({ erased: true }, 10)).toContain(erasedId);
    expect(await walk({ erased: false }, 50)).not.toContain(erasedId);
    const counts = '{ plans(filter: { q: "Filter" }) { nodes { name memberCount } } }';
    const both = { token: await app.token('plans:read', 'members:read') };
    expect((await app.graphql(counts, {}, both)).data.plans.nodes).toEqual([
      { name: 'Filter', memberCount: 2 },
    ]);
    await db.membership.deleteMany({ where: { planId: plan.id } });
    await db.member.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    await db.plan.delete({ where: { id: plan.id } });
    await db.team.delete({ where: { id: team.id } });
  });

  it('return all fields with the right scopes', async () => {
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
          code: null, // read scopes do not show admission codes
          createdAt: row.createdAt.toISOString(),
        },
      },
    ]);
    expect((await app.graphql(text, {}, writer)).codes).toEqual(['FORBIDDEN']);
  });

  it('reject an empty search', async () => {
    const { codes } = await app.graphql(
      '{ members(filter: { q: " " }) { edges { cursor } } }',
      {},
      reader,
    );
    expect(codes).toEqual(['VALIDATION']);
  });
});

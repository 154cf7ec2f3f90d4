import { runInTransaction } from '../../../src/context.ts';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { ChangeType } from '../../../src/journal/catalog.ts';
import { recordAction, recordCreated, recordUpdated } from '../../../src/journal/record-changes.ts';
import { SUBJECTS, type SubjectName } from '../../../src/journal/subjects.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let team: string;
let plan: string;
let staffToken: string;

beforeAll(async () => {
  app = await startApp();
  const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.owner } });
  const viewer = { kind: 'staff', id, name: '', role: 'owner', sessionId: '' } as const;
  const owner = { ...app.ctx, viewer, clientAddress: '192.0.2.7' };
  await runInTransaction(owner, async (ctx) => {
    ({ id: team } = await ctx.db.team.create({ data: { name: 'Printers' } }));
    ({ id: plan } = await ctx.db.plan.findFirstOrThrow());
    await recordCreated(ctx, 'team.created', [team]);
  });
  await runInTransaction(app.ctx, (ctx) =>
    recordUpdated(ctx, 'plan.updated', [plan], () =>
      ctx.db.plan.update({ where: { id: plan }, data: { priceAmount: 4_200 } }),
    ),
  );
  await runInTransaction(owner, (ctx) => recordAction(ctx, 'staff.password_changed', [id]));
  staffToken = await app.token('webhooks:read', 'members:read');
});
afterAll(() => app.stop());

const LIST = `query ($filter: ChangeFilter, $orderBy: ChangeOrder) {
  changes(first: 50, filter: $filter, orderBy: $orderBy) {
    totalCount { value }
    nodes { id position type subjectId actor { kind name } address before after }
  } }`;
interface Listed {
  id: string;
  type: ChangeType;
  subjectId: string;
}
const list = async (variables: object, token: string): Promise<Listed[]> => {
  const { data, errors } = await app.graphql(LIST, variables, { token });
  expect(errors).toEqual([]);
  return data.changes.nodes;
};
const listTypes = async (variables: object, token: string) =>
  (await list(variables, token)).map(({ type }) => type);

describe('changes', () => {
  it('are listed with who made them and what differs', async () => {
    const changes = await list({ filter: { subjectIds: [plan, team] } }, await app.token('*'));
    expect(changes).toEqual([
      expect.objectContaining({
        type: 'team.created',
        actor: { kind: 'STAFF', name: 'Ada Lindqvist' },
        address: '192.0.2.7',
        before: null,
        after: expect.objectContaining({ name: 'Printers' }),
      }),
      expect.objectContaining({
        type: 'plan.updated',
        actor: { kind: 'SYSTEM', name: null },
        address: null,
        after: { price: { amount: 4_200, currency: 'EUR' } },
      }),
    ]);
  });

  it('are limited to the nouns that the caller can read', async () => {
    const all = await app.token('*');
    const types: ChangeType[] = ['team.created', 'plan.updated', 'staff.password_changed'];
    expect(await listTypes({ filter: { types } }, all)).toEqual(types);
    const filter = { subjectIds: [team, plan] };
    expect(await listTypes({ filter }, staffToken)).toEqual(['team.created']);
    expect(await listTypes({ filter }, await app.token('webhooks:read'))).toEqual([]);
    for (const names of [types, ['plan.*']]) {
      const selected = { filter: { types: names } };
      const { errors } = await app.graphql(LIST, selected, { token: staffToken });
      expect(errors[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', scope: 'plans:read' });
      const path = `/changes?types=${names.join(',')}`;
      expect((await app.rest(path, { token: staffToken })).status).toBe(403);
    }
    const [hidden] = await list({ filter: { types: ['plan.*'] } }, all);
    const { data } = await app.graphql(
      'query ($id: ID!) { node(id: $id) { id } }',
      { id: hidden?.id },
      { token: staffToken },
    );
    expect(data).toEqual({ node: null });
  });

  it.each([
    ['a member', true, 'Spree, Ida Berg, Wed, 18 Mar 2026, 10:00 (Berlin time)'],
    ['a guest', false, 'Spree, Gil Ott, Pitch, Wed, 18 Mar 2026, 10:00 (Berlin time)'],
  ])('name the room, the person and the time of a no-show of %s', async (_, isMember, name) => {
    const { db } = app.ctx;
    const room = await db.resource.findUniqueOrThrow({ where: { slug: 'spree' } });
    const member = { name: 'Ida Berg', email: 'ida.berg@example.org', code: 'IDABERGCODE' };
    const when = {
      startsAt: new Date('2026-03-18T09:00:00Z'),
      endsAt: new Date('2026-03-18T10:00:00Z'),
    };
    await db.booking.deleteMany({
      where: { resourceId: room.id, startsAt: { lt: when.endsAt }, endsAt: { gt: when.startsAt } },
    });
    const { id } = await db.booking.create({
      data: {
        ...{
          resourceId: room.id,
          locationId: room.locationId,
          ...when,
          occupiedUntil: when.endsAt,
        },
        ...(isMember
          ? { memberId: (await db.member.create({ data: member })).id }
          : { guestName: 'Gil Ott', title: 'Pitch' }),
        updatedAt: when.startsAt,
      },
    });
    await db.resource.update({ where: { id: room.id }, data: { noShowMinutes: 15 } });
    expect(await releaseNoShows({ ...app.ctx, now: () => new Date('2026-03-18T09:20:00Z') })).toBe(
      1,
    );
    const { data, errors } = await app.graphql(
      `query ($id: ID!) { changes(last: 1, filter: { subjectIds: [$id] }) { nodes { type references { kind name } } } }`,
      { id },
      { token: await app.token('webhooks:read', 'bookings:read') },
    );
    expect(errors).toEqual([]);
    expect(data.changes.nodes).toEqual([
      { type: 'booking.no_show', references: [{ kind: 'booking', name }] },
    ]);
    await db.booking.delete({ where: { id } });
    await db.resource.update({ where: { id: room.id }, data: { noShowMinutes: null } });
  });

  it('name a booking as it was called at the time of each change', async () => {
    const { room, addRoom } = await makeSpace(app);
    const other = await addRoom({ name: 'Suite' });
    const as = { token: await app.token('webhooks:read', 'bookings:read', 'bookings:write') };
    const calls = bookingCalls(app, as);
    const guest = { name: 'Gil Ott' };
    const made = await calls.create({
      ...{ resourceId: room.id, guest, title: 'Pitch' },
      ...march(19, '10:00', '11:00'),
    });
    const { id } = made.data.createBooking.booking;
    const change = async (mutation: string, input: object) => {
      const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
      const text = `mutation ($input: ${type}) { ${mutation}(input: $input) { booking { id } } }`;
      expect((await app.graphql(text, { input: { id, ...input } }, as)).errors).toEqual([]);
    };
    await change('rescheduleBooking', march(19, '12:00', '13:00'));
    await change('updateBooking', { title: null });
    await change('rescheduleBooking', { resourceId: other.id, ...march(20, '12:00', '13:00') });
    const { data } = await app.graphql(
      'query ($id: ID!) { changes(filter: { subjectIds: [$id] }) { nodes { type references { kind name } } } }',
      { id },
      as,
    );
    type Node = { references: { kind: string; name: string }[] };
    expect(
      data.changes.nodes.map(
        ({ references }: Node) => references.find(({ kind }) => kind === 'booking')?.name,
      ),
    ).toEqual([
      'Room, Gil Ott, Pitch, Thu, 19 Mar 2026, 10:00 (Berlin time)',
      'Room, Gil Ott, Pitch, Thu, 19 Mar 2026, 12:00 (Berlin time)',
      'Room, Gil Ott, Thu, 19 Mar 2026, 12:00 (Berlin time)',
      'Suite, Gil Ott, Fri, 20 Mar 2026, 12:00 (Berlin time)',
    ]);
  });

  it('name the objects that they mention, if the caller can read them', async () => {
    const member = await app.ctx.db.member.create({
      data: { name: 'Ida Holm', email: 'ida.holm@example.org', code: 'IDAHOLMCODE' },
    });
    const { id } = await app.ctx.db.membership.create({
      data: { memberId: member.id, planId: plan, startsOn: new Date('2026-03-01') },
    });
    await runInTransaction(app.ctx, (ctx) => recordCreated(ctx, 'membership.created', [id]));
    const listNames = async (token: string) => {
      const { data, errors } = await app.graphql(
        `query ($id: ID!) { changes(first: 1, filter: { subjectIds: [$id] }) {
          nodes { references { kind name currency } } } }`,
        { id },
        { token },
      );
      expect(errors).toEqual([]);
      return data.changes.nodes[0].references;
    };
    const { name, priceCurrency: currency } = await app.ctx.db.plan.findUniqueOrThrow({
      where: { id: plan },
    });
    const own = [
      { kind: 'membership', name: member.name, currency: null },
      { kind: 'member', name: member.name, currency: null },
    ];
    const all = [...own, { kind: 'plan', name, currency }];
    const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind);
    expect((await listNames(await app.token('*'))).toSorted(byKind)).toEqual(all.toSorted(byKind));
    expect((await listNames(staffToken)).toSorted(byKind)).toEqual(own.toSorted(byKind));
  });

  it('need the scope for webhooks', async () => {
    const { errors } = await app.graphql(LIST, {}, { token: await app.token('members:read') });
    expect(errors[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE' });
    const { status } = await app.rest('/changes', { token: await app.token('members:read') });
    expect(status).toBe(403);
  });

  it('show the address only to staff and to keys for everything', async () => {
    const filter = { types: ['team.created'] };
    expect(await list({ filter }, staffToken)).toEqual([
      expect.objectContaining({ address: null }),
    ]);
  });

  it('are filtered by actor and time, newest first if wanted', async () => {
    const all = await app.token('*');
    const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.owner } });
    expect(await listTypes({ filter: { actorIds: [id] } }, all)).toEqual([
      'team.created',
      'staff.password_changed',
    ]);
    const from = new Date(app.clock.now.getTime() + 1).toISOString();
    expect(await listTypes({ filter: { from } }, all)).toEqual([]);
    const since = { from: app.clock.now.toISOString(), subjectIds: [plan, team] };
    const newest = await listTypes({ filter: since, orderBy: 'POSITION_DESC' }, all);
    expect(newest).toEqual((await listTypes({ filter: since }, all)).reverse());
  });

  it('reject unknown types', async () => {
    const filter = { types: ['booking.exploded'] };
    const { errors } = await app.graphql(LIST, { filter }, { token: staffToken });
    expect(errors[0]?.message).toContain('booking.*');
    expect((await app.rest('/changes?types=nothing', { token: staffToken })).status).toBe(400);
  });
});

describe('the scope of a change', () => {
  const LISTS: Partial<Record<SubjectName, string>> = {
    announcement: 'announcements',
    booking: 'bookings',
    calendar_feed: 'calendarFeeds',
    check_in: 'checkIns',
    day_pass: 'dayPasses',
    discount_code: 'discountCodes',
    display: 'displays',
    location: 'locations',
    member: 'members',
    membership: 'memberships',
    order: 'orders',
    payment: 'payments',
    plan: 'plans',
    refund: 'refunds',
    resource: 'resources',
    team: 'teams',
    ticket: 'tickets',
    waitlist_entry: 'waitlist',
    webhook: 'webhooks',
  };

  it.each(Object.entries(LISTS))('of %s is that of the list %s', (subject, list) => {
    const field = schema.getQueryType()?.getFields()[list];
    const access = `${SUBJECTS[subject as SubjectName].noun}:read`;
    expect(field?.extensions).toMatchObject({ pothosOptions: { authScopes: { access } } });
  });

  it('is everything for subjects that only owners or managers list', () => {
    const others = Object.entries(SUBJECTS).filter(([, { noun }]) => noun === '*');
    expect(others.map(([name]) => name).sort()).toEqual([
      'api_token',
      'email_opt_out',
      'email_template',
      'erasure',
      'import',
      'retention_policy',
      'settings',
      'staff',
    ]);
  });
});

describe('GET /changes', () => {
  const synchronize = async (cursor: string | undefined, query = 'limit=1') => {
    const at = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body, status } = await app.rest(`/changes?${query}${at}`, { token: staffToken });
    expect(status).toBe(200);
    return body.data as { changes: Listed[]; pagination: { next_cursor: string } };
  };

  it('returns every change once, and then waits at the end', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let next = '0'; next !== cursor; ) {
      cursor = next;
      const { changes, pagination } = await synchronize(cursor);
      seen.push(...changes.map(({ id }) => id));
      next = pagination.next_cursor;
    }
    expect(seen).toEqual((await list({}, staffToken)).map(({ id }) => id));

    await runInTransaction(app.ctx, (ctx) => recordAction(ctx, 'team.updated', [team]));
    const { changes } = await synchronize(cursor);
    expect(changes).toEqual([expect.objectContaining({ type: 'team.updated', subject_id: team })]);
  });

  it('rejects a cursor whose changes have been deleted, and one from the future', async () => {
    const { pagination } = await synchronize(undefined);
    await runInTransaction(app.ctx, (ctx) => recordAction(ctx, 'team.updated', [team]));
    const { pagination: end } = await synchronize(undefined, 'limit=100');
    await app.ctx.db.change.deleteMany({ where: { position: { lt: Number(end.next_cursor) } } });
    const outcomes: unknown[] = [];
    for (const cursor of [pagination.next_cursor, '999999']) {
      const { status, headers } = await app.rest(`/changes?cursor=${cursor}`, {
        token: staffToken,
      });
      outcomes.push([status, headers.get('foyer-error-reason')]);
    }
    expect(outcomes).toEqual([
      [400, 'CURSOR_EXPIRED'],
      [400, 'BAD_CURSOR'],
    ]);
  });

  it('starts with the next change after the cursor latest', async () => {
    const { changes: none, pagination } = await synchronize('latest');
    expect(none).toEqual([]);
    await runInTransaction(app.ctx, (ctx) => recordAction(ctx, 'team.updated', [team]));
    const { changes } = await synchronize(pagination.next_cursor);
    expect(changes.map(({ type }) => type)).toEqual(['team.updated']);
  });
});

describe('request ids', () => {
  it('are sent with every response and chosen by the client or the service', async () => {
    const chosen = await fetch(`${app.url}/public/events`, {
      headers: { 'x-request-id': 'till-0017.3' },
    });
    expect(chosen.headers.get('x-request-id')).toBe('till-0017.3');
    const invalid = await fetch(`${app.url}/bookings`, { headers: { 'x-request-id': 'a b' } });
    expect(invalid.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('positions beyond 32 bits', () => {
  it('are the same in GraphQL, in REST and as a cursor', async () => {
    const token = await app.token('*');
    const start = 5_000_000_000;
    await app.ctx.db.$executeRaw`UPDATE journal_head SET position = ${start}`;
    await runInTransaction(app.ctx, (ctx) => recordAction(ctx, 'team.updated', [team]));
    const { body } = await app.rest(`/changes?types=team.*&cursor=${start}`, { token });
    const { changes, pagination } = body.data as {
      changes: { position: number }[];
      pagination: { next_cursor: number };
    };
    const [position = 0, ...others] = changes.map((change) => change.position);
    expect([position > start, others, pagination.next_cursor]).toEqual([true, [], position]);
    const filter = { subjectIds: [team], types: ['team.updated'] };
    expect((await list({ filter }, token)).at(-1)).toMatchObject({ position });
    expect((await app.rest(`/changes?cursor=${position}`, { token })).body.data).toMatchObject({
      changes: [],
    });
    const later = `subscription { changes(after: ${position + 1}) { type } }`;
    const { errors } = await app.graphql(later, {}, { token });
    expect(errors[0]?.extensions).toMatchObject({
      reason: 'BAD_CURSOR',
      fields: [{ field: 'after' }],
    });
  });
});

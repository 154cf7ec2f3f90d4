import { v7 } from 'uuid';
import type { Context } from '../../../src/context.ts';
import { toDateColumn } from '../../../src/core/time/calendar-date.ts';
import { createMembership } from '../../../src/features/plans/service/memberships.ts';
import { getPlan, updatePlan } from '../../../src/features/plans/service/plans.ts';
import { createTeam } from '../../../src/features/teams/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makePlan, makePlanHolder } from '../../support/factories/plans.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let planId: string;
let memberId: string;
let teamId: string;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:read', 'members:write') };
});
afterAll(() => app.stop());

beforeEach(async () => {
  planId = (await makePlan(app)).id;
  teamId = (await createTeam(app.ctx, { name: `Team ${v7()}` })).id;
  memberId = (await makePlanHolder(app)).id;
});

const MEMBERSHIP = 'id plan { id } member { id } team { id } startsOn endsOn';
const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateMembershipInput!) { createMembership(input: $input) { membership { ${MEMBERSHIP} } } }`,
    { input: { planId, startsOn: '2026-01-01', ...input } },
    as,
  );
const end = (id: string, endsOn: string) =>
  app.graphql(
    `mutation ($id: ID!, $endsOn: Date!) { endMembership(input: { id: $id, endsOn: $endsOn }) { membership { ${MEMBERSHIP} } } }`,
    { id, endsOn },
    writer,
  );
const remove = (id: string, as = writer) =>
  app.graphql(
    'mutation ($id: ID!) { deleteMembership(input: { id: $id }) { deletedMembershipId } }',
    { id },
    as,
  );
const change = (id: string, startsOn: string, to: string, as = writer) =>
  app.graphql(
    `mutation ($id: ID!, $planId: ID!, $startsOn: Date!) {
      changePlan(input: { id: $id, planId: $planId, startsOn: $startsOn }) {
        membership { id endsOn nextMembership { ${MEMBERSHIP} } } } }`,
    { id, startsOn, planId: to },
    as,
  );
const undo = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { undoPlanChange(input: { id: $id }) { deletedMembershipId
      membership { ${MEMBERSHIP} nextMembership { id } } } }`,
    { id },
    writer,
  );

const list = async (filter: object): Promise<string[]> => {
  const text = `query ($filter: MembershipFilter) { memberships(first: 50, filter: $filter) { nodes { id } } }`;
  const { data } = await app.graphql(text, { filter }, reader);
  return data.memberships.nodes.map(({ id }: { id: string }) => id);
};

describe('a membership', () => {
  it('belongs to a member or a team from a day on', async () => {
    const { data } = await create({ memberId });
    expect(data.createMembership.membership).toEqual({
      id: data.createMembership.membership.id,
      plan: { id: planId },
      member: { id: memberId },
      team: null,
      startsOn: '2026-01-01',
      endsOn: null,
    });
    const ofTeam = await create({ teamId, endsOn: '2026-01-01' });
    expect(ofTeam.data.createMembership.membership).toMatchObject({
      member: null,
      team: { id: teamId },
      endsOn: '2026-01-01',
    });
    expect(await list({ teamId })).toEqual([ofTeam.data.createMembership.membership.id]);
  });

  it.each([
    ['both a member and a team', () => ({ memberId, teamId }), 'VALIDATION'],
    ['neither', () => ({}), 'VALIDATION'],
    ['an end before its start', () => ({ memberId, endsOn: '2025-12-31' }), 'VALIDATION'],
    ['an invalid date', () => ({ memberId, startsOn: '2026-02-29' }), 'BAD_REQUEST'],
    ['an unknown plan', () => ({ memberId, planId: v7() }), 'NOT_FOUND'],
    ['an unknown member', () => ({ memberId: v7() }), 'NOT_FOUND'],
    ['an unknown team', () => ({ teamId: v7() }), 'NOT_FOUND'],
  ])('is rejected for %s', async (_, input, code) => {
    expect((await create(input())).codes).toEqual([code]);
  });

  it('cannot start with an inactive plan; existing ones continue', async () => {
    const { id } = (await create({ memberId })).data.createMembership.membership;
    await updatePlan(app.ctx, planId, { active: false });
    expect((await create({ teamId })).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'PLAN_INACTIVE',
    });
    const text = 'query ($id: ID!) { member(id: $id) { currentMembership { id } } }';
    const { data } = await app.graphql(text, { id: memberId }, reader);
    expect(data.member.currentMembership).toEqual({ id });
  });

  it('is rejected when it overlaps another one, which the error names', async () => {
    const { data } = await create({ memberId, startsOn: '2026-02-01', endsOn: '2026-04-30' });
    const { name } = await getPlan(app.ctx, planId);
    for (const days of [
      { startsOn: '2026-01-01' },
      { startsOn: '2026-01-01', endsOn: '2026-02-01' },
      { startsOn: '2026-03-01', endsOn: '2026-03-02' },
      { startsOn: '2026-04-30' },
    ]) {
      const { errors } = await create({ memberId, ...days });
      expect(errors[0]?.extensions).toEqual({
        code: 'CONFLICT',
        reason: 'MEMBERSHIP_OVERLAPS',
        with: {
          id: data.createMembership.membership.id,
          plan: name,
          startsOn: '2026-02-01',
          endsOn: '2026-04-30',
        },
      });
      expect(errors[0]?.message).toContain(`${name} from 2026-02-01 to 2026-04-30`);
    }
    expect((await create({ memberId, endsOn: '2026-01-31' })).codes).toEqual([]);
    expect((await create({ memberId, startsOn: '2026-05-01' })).codes).toEqual([]);
    expect((await create({ teamId, startsOn: '2026-03-01' })).codes).toEqual([]);
  });

  it('ends on a day that can move between its start and the next membership', async () => {
    const { id } = (await create({ memberId })).data.createMembership.membership;
    expect((await end(id, '2026-06-30')).data.endMembership.membership).toMatchObject({
      id,
      endsOn: '2026-06-30',
    });
    expect((await end(id, '2025-12-31')).errors[0]?.extensions).toMatchObject({
      reason: 'ENDS_BEFORE_START',
    });
    const next = (await create({ memberId, startsOn: '2026-07-15' })).data.createMembership
      .membership;
    expect((await end(id, '2026-07-14')).data.endMembership.membership.endsOn).toBe('2026-07-14');
    expect((await end(id, '2026-07-15')).errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'MEMBERSHIP_OVERLAPS',
      with: { id: next.id, startsOn: '2026-07-15', endsOn: null },
    });
    expect((await end(id, '2026-01-01')).data.endMembership.membership.endsOn).toBe('2026-01-01');
    for (const unknownId of [v7(), 'x'])
      expect((await end(unknownId, '2026-01-01')).codes).toEqual(['NOT_FOUND']);
  });

  it('can be deleted while no booking uses it', async () => {
    const { id } = (await create({ memberId })).data.createMembership.membership;
    expect((await remove(id)).data).toEqual({ deleteMembership: { deletedMembershipId: id } });
    expect(await list({ memberId })).toEqual([]);
    expect((await create({ memberId })).codes).toEqual([]);
    for (const unknownId of [id, v7(), 'x'])
      expect((await remove(unknownId)).codes).toEqual(['NOT_FOUND']);
  });

  it('cannot be deleted when bookings use it, even cancelled ones', async () => {
    const { id } = (await create({ memberId })).data.createMembership.membership;
    const booking = await app.ctx.db.booking.findFirstOrThrow({ where: { membershipId: null } });
    const where = { id: booking.id };
    const booked = { membershipId: id, usageMonth: toDateColumn('2026-03-01') };
    await app.ctx.db.booking.update({ where, data: { ...booked, status: 'cancelled' } });
    const { errors } = await remove(id);
    await app.ctx.db.booking.update({
      where,
      data: { membershipId: null, usageMonth: null, status: booking.status },
    });
    expect(errors[0]).toMatchObject({
      message: 'Bookings use this membership. End it instead.',
      extensions: { code: 'CONFLICT', reason: 'MEMBERSHIP_USED' },
    });
    expect(await list({ memberId })).toEqual([id]);
    expect((await remove(id)).codes).toEqual([]);
  });

  it('requires members:write', async () => {
    expect((await create({ memberId }, reader)).codes).toEqual(['FORBIDDEN']);
    const { id } = (await create({ memberId })).data.createMembership.membership;
    expect((await remove(id, reader)).codes).toEqual(['FORBIDDEN']);
    expect(await list({ memberId })).toEqual([id]);
  });
});

describe('a change of the plan', () => {
  it.each([
    ['a member', () => ({ memberId })],
    ['a team', () => ({ teamId })],
  ])('of %s ends the membership the day before, and can be undone', async (_, holder) => {
    const { id: other } = await makePlan(app);
    const { id } = (await create({ ...holder(), endsOn: '2026-12-31' })).data.createMembership
      .membership;
    const { data } = await change(id, '2026-12-01', other);
    const { nextMembership: next } = data.changePlan.membership;
    expect(data.changePlan.membership).toEqual({
      id,
      endsOn: '2026-11-30',
      nextMembership: {
        id: next.id,
        plan: { id: other },
        member: null,
        team: null,
        ...('memberId' in holder() ? { member: { id: memberId } } : { team: { id: teamId } }),
        ...{ startsOn: '2026-12-01', endsOn: '2026-12-31' },
      },
    });
    const undone = await undo(next.id);
    expect(undone.data.undoPlanChange).toMatchObject({
      deletedMembershipId: next.id,
      membership: { id, endsOn: '2026-12-31', nextMembership: null },
    });
    expect(await list(holder())).toEqual([id]);
    expect((await undo(id)).errors[0]?.extensions.reason).toBe('NOT_A_PLAN_CHANGE');
    expect((await undo(next.id)).codes).toEqual(['NOT_FOUND']);
  });

  it('before one that is scheduled already continues with it, also after it is undone', async () => {
    const [june, november] = [(await makePlan(app)).id, (await makePlan(app)).id];
    const { id } = (await create({ memberId })).data.createMembership.membership;
    const later = (await change(id, '2026-11-01', november)).data.changePlan.membership
      .nextMembership;
    const earlier = (await change(id, '2026-06-01', june)).data.changePlan.membership
      .nextMembership;
    expect(earlier.endsOn).toBe('2026-10-31');
    expect(await list({ memberId })).toEqual([later.id, earlier.id, id]);
    const { membership } = (await undo(earlier.id)).data.undoPlanChange;
    expect(membership).toMatchObject({ endsOn: '2026-10-31', nextMembership: { id: later.id } });
    const { data } = await undo(later.id);
    expect(data.undoPlanChange.membership).toMatchObject({ id, endsOn: null });
  });

  it('is rejected outside the membership, to the same or an inactive plan, and changes nothing', async () => {
    const { id: other } = await makePlan(app);
    const { id } = (await create({ memberId, endsOn: '2026-06-30' })).data.createMembership
      .membership;
    const reject = async (startsOn: string, to: string) => {
      const { errors } = await change(id, startsOn, to);
      return errors[0]?.extensions.reason ?? errors[0]?.extensions.code;
    };
    expect(await reject('2026-01-01', other)).toBe('OUTSIDE_MEMBERSHIP');
    expect(await reject('2026-07-01', other)).toBe('OUTSIDE_MEMBERSHIP');
    expect(await reject('2026-03-01', planId.toUpperCase())).toBe('PLAN_UNCHANGED');
    expect(await reject('2026-03-01', v7())).toBe('NOT_FOUND');
    await updatePlan(app.ctx, other, { active: false });
    expect(await reject('2026-03-01', other)).toBe('PLAN_INACTIVE');
    expect((await change(v7(), '2026-03-01', other)).codes).toEqual(['NOT_FOUND']);
    expect((await change(id, '2026-03-01', other, reader)).codes).toEqual(['FORBIDDEN']);
    expect(await list({ memberId })).toEqual([id]);
    expect(await app.ctx.db.membership.findUnique({ where: { id } })).toMatchObject({
      endsOn: toDateColumn('2026-06-30'),
    });
  });

  it('cannot be undone when bookings use the new plan', async () => {
    const { id: other } = await makePlan(app);
    const { id } = (await create({ memberId })).data.createMembership.membership;
    const next = (await change(id, '2026-03-01', other)).data.changePlan.membership.nextMembership;
    const booking = await app.ctx.db.booking.findFirstOrThrow({ where: { membershipId: null } });
    const where = { id: booking.id };
    const booked = { membershipId: next.id, usageMonth: toDateColumn('2026-03-01') };
    await app.ctx.db.booking.update({ where, data: booked });
    const { errors } = await undo(next.id);
    await app.ctx.db.booking.update({ where, data: { membershipId: null, usageMonth: null } });
    expect(errors[0]?.extensions.reason).toBe('MEMBERSHIP_USED');
    expect(await list({ memberId })).toEqual([next.id, id]);
  });
});

describe('concurrent memberships', () => {
  const attempts = (work: (ctx: Context) => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: 8 }, () => work(app.ctx)));
  const rows = () => app.ctx.db.membership.count({ where: { memberId } });
  const open = () => ({ planId, memberId, startsOn: '2026-01-01' });

  it('result in one, and the others are rejected', async () => {
    const results = await attempts((ctx) => createMembership(ctx, open()));
    expect(await rows()).toBe(1);
    const rejections = results.filter(({ status }) => status === 'rejected');
    expect(rejections).toHaveLength(7);
    for (const rejection of rejections) {
      expect((rejection as PromiseRejectedResult).reason).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'MEMBERSHIP_OVERLAPS', with: { startsOn: '2026-01-01' } },
      });
    }
  });

  it('overlap without the constraint (negative control)', async () => {
    const rule = `EXCLUDE USING gist ("member_id" WITH =, daterange("starts_on", "ends_on", '[]') WITH &&)`;
    const { db } = app.ctx;
    await db.$executeRawUnsafe(
      'ALTER TABLE memberships DROP CONSTRAINT memberships_no_overlap_per_member',
    );
    try {
      const results = await attempts((ctx) => createMembership(ctx, open()));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
      expect(await rows()).toBe(8);
    } finally {
      await db.membership.deleteMany({ where: { memberId } });
      await db.$executeRawUnsafe(
        `ALTER TABLE memberships ADD CONSTRAINT memberships_no_overlap_per_member ${rule}`,
      );
    }
  });
});

import { v7 } from 'uuid';
import { toDateColumn } from '../../../src/core/time/calendar-date.ts';
import { createMember } from '../../../src/features/members/service/members.ts';
import { createMembership } from '../../../src/features/plans/service/memberships.ts';
import { createPlan } from '../../../src/features/plans/service/plans.ts';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
});
afterAll(() => app.stop());

describe('the usage of a membership', () => {
  it('sums bookings of a month by type of resource', async () => {
    const { id: planId } = await createPlan(app.ctx, {
      name: 'Desks and rooms',
      price: { amount: 100, currency: 'EUR' },
      interval: 'month',
      benefits: [],
    });
    const { id: memberId } = await createMember(app.ctx, { name: 'Ola', email: 'ola@example.org' });
    const { id } = await createMembership(app.ctx, { planId, memberId, startsOn: '2026-01-01' });
    const location = await app.ctx.db.location.findFirstOrThrow();
    const resourceIds = { desk: '', room: '' };
    for (const type of ['desk', 'room'] as const) {
      const row = await app.ctx.db.resource.create({
        data: { locationId: location.id, slug: `usage-${v7()}`, name: type, type },
      });
      resourceIds[type] = row.id;
    }
    let hour = 0;
    const book = async (
      type: 'desk' | 'room',
      minutes: number,
      includedMinutes: number,
      status: 'pending' | 'confirmed' | 'no_show' | 'cancelled' = 'confirmed',
      month = '2026-03-01',
      membershipId: string | null = id,
    ) => {
      hour += 3;
      const startsAt = new Date(Date.parse(`${month}T00:00:00Z`) + hour * 3_600_000);
      const endsAt = new Date(startsAt.getTime() + minutes * 60_000);
      await app.ctx.db.booking.create({
        data: {
          resourceId: resourceIds[type],
          locationId: location.id,
          memberId,
          startsAt,
          endsAt,
          occupiedUntil: endsAt,
          status,
          membershipId,
          usageMonth: membershipId && toDateColumn(month),
          includedMinutes,
        },
      });
    };
    await book('desk', 120, 90);
    await book('desk', 60, 0, 'pending');
    await book('desk', 45, 45, 'no_show');
    await book('desk', 30, 15, 'cancelled'); // cancelled late, so its hours stay used
    await book('room', 15, 0, 'cancelled');
    await book('room', 90, 60, 'confirmed', '2026-04-01');
    await book('room', 90, 0, 'confirmed', '2026-03-01', null);

    const text = `query ($filter: MembershipFilter, $month: Date) { memberships(filter: $filter) {
      edges { node { usage(month: $month) { resourceType includedMinutes bookedMinutes } } } } }`;
    const usage = async (month?: string) => {
      const { data } = await app.graphql(text, { filter: { memberId }, month }, reader);
      return data.memberships.edges[0].node.usage;
    };
    const inMarch = [
      { resourceType: 'ROOM', includedMinutes: 0, bookedMinutes: 0 },
      { resourceType: 'DESK', includedMinutes: 150, bookedMinutes: 225 },
    ];
    expect(await usage()).toEqual(inMarch); // the tests run in March
    expect(await usage('2026-03-31')).toEqual(inMarch);
    expect(await usage('2026-04-01')).toEqual([
      { resourceType: 'ROOM', includedMinutes: 60, bookedMinutes: 90 },
    ]);
    expect(await usage('2026-05-01')).toEqual([]);
  });
});

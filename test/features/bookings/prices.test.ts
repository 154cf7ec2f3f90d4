import { v7 } from 'uuid';
import type { ResourceType } from '../../../src/db/generated/enums.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { NOW } from '../../support/seed.ts';
import { bookingCalls, makeMember, makeSpace, makeStaff, march } from '../../support/space.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await makeStaff(app));
});
beforeEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

interface Benefit {
  includedHours?: number;
  discountPercent?: number;
  limitHours?: number;
  resourceType?: ResourceType;
}

async function onPlan(
  holder: { memberId: string } | { teamId: string },
  benefit: Benefit,
  more: object = {},
) {
  const plan = await app.ctx.db.plan.create({
    data: { name: `Plan ${v7()}`, benefits: { create: [{ resourceType: 'room', ...benefit }] } },
  });
  return app.ctx.db.membership.create({
    data: { planId: plan.id, startsOn: new Date('2026-01-01'), ...holder, ...more },
  });
}

async function memberWith(benefit: Benefit, more: object = {}) {
  const { room, addRoom } = await makeSpace(app);
  const member = await makeMember(app);
  await onPlan({ memberId: member.id }, benefit, more);
  const wish = (from: string, to: string, day = 19) => ({
    resourceId: room.id,
    memberId: member.id,
    ...march(day, from, to),
  });
  return { room, addRoom, member, wish };
}

const linesOf = async (wish: Parameters<typeof staff.preview>[0]) =>
  (await staff.preview(wish)).data.previewBooking.lines.map(
    ({ kind, minutes, amount }: { kind: string; minutes: number; amount: number }) => [
      kind,
      minutes,
      amount,
    ],
  );
const priceOf = async (wish: Parameters<typeof staff.create>[0]) => {
  const { data, errors } = await staff.create(wish);
  expect(errors).toEqual([]);
  return { id: data.createBooking.id as string, amount: data.createBooking.price.amount as number };
};

describe('the price', () => {
  it('is the public rate for guests and for members without a plan', async () => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app);
    for (const holder of [{ guest: { name: 'Greta' } }, { memberId: id }]) {
      expect(
        await linesOf({ resourceId: room.id, ...holder, ...march(19, '10:00', '11:30') }),
      ).toEqual([['PUBLIC_RATE', 90, 3_000]]);
    }
  });

  it('uses the allowance first, then the member’s rate, and lists both', async () => {
    const { wish } = await memberWith({ includedHours: 2, discountPercent: 25 });
    expect((await priceOf(wish('10:00', '11:00'))).amount).toBe(0);
    expect(await linesOf(wish('12:00', '15:00'))).toEqual([
      ['ALLOWANCE', 60, 0],
      ['MEMBER_RATE', 120, 3_000],
    ]);
    expect((await priceOf(wish('12:00', '15:00'))).amount).toBe(3_000);
    expect(await linesOf(wish('16:00', '17:00'))).toEqual([['MEMBER_RATE', 60, 1_500]]);
  });

  it('is rounded per line to the minor unit', async () => {
    const { member, addRoom } = await memberWith({ discountPercent: 33 });
    const odd = await addRoom({ hourlyAmount: 1_999 });
    expect(
      await linesOf({ resourceId: odd.id, memberId: member.id, ...march(19, '10:00', '10:45') }),
    ).toEqual([['MEMBER_RATE', 45, 1_004]]);
  });

  it('uses a separate allowance for each type of resource', async () => {
    const { member, addRoom } = await memberWith({ includedHours: 10 });
    const desk = await addRoom({ type: 'desk' });
    expect(
      await linesOf({ resourceId: desk.id, memberId: member.id, ...march(19, '10:00', '11:00') }),
    ).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it('uses the month of the booking and the membership of its day', async () => {
    const { wish } = await memberWith({ includedHours: 1 }, { endsOn: new Date('2026-04-02') });
    expect((await priceOf(wish('10:00', '11:00'))).amount).toBe(0);
    expect((await priceOf(wish('11:00', '12:00'))).amount).toBe(2_000);
    const april = (day: number) => ({
      ...wish('10:00', '11:00'),
      startsAt: `2026-04-0${day}T10:00:00+02:00`,
      endsAt: `2026-04-0${day}T11:00:00+02:00`,
    });
    expect((await priceOf(april(2))).amount).toBe(0);
    expect(await linesOf(april(3))).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it("uses the month in the location's time zone", async () => {
    const { wish } = await memberWith({ includedHours: 1 });
    const night = { ...wish('10:00', '11:00'), override: true };
    // In Berlin it is April already, in UTC still March.
    const { id } = await priceOf({
      ...night,
      startsAt: '2026-03-31T22:30:00Z',
      endsAt: '2026-03-31T23:30:00Z',
    });
    const { usageMonth } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    expect(usageMonth).toEqual(new Date('2026-04-01'));
    expect(await linesOf(wish('12:00', '13:00'))).toEqual([['ALLOWANCE', 60, 0]]);
  });

  it("shares a team's allowance and prefers an own membership", async () => {
    const { room, addRoom } = await makeSpace(app);
    const team = await app.ctx.db.team.create({ data: { name: `Team ${v7()}` } });
    await onPlan({ teamId: team.id }, { includedHours: 1 });
    const [a, b] = [
      await makeMember(app, { teamId: team.id }),
      await makeMember(app, { teamId: team.id }),
    ];
    const other = await addRoom();
    const span = march(19, '10:00', '11:00');
    expect((await priceOf({ resourceId: room.id, memberId: a.id, ...span })).amount).toBe(0);
    expect((await priceOf({ resourceId: other.id, memberId: b.id, ...span })).amount).toBe(2_000);
    await onPlan({ memberId: b.id }, { includedHours: 1 });
    expect(
      (await priceOf({ resourceId: other.id, memberId: b.id, ...march(19, '12:00', '13:00') }))
        .amount,
    ).toBe(0);
  });

  it('uses the allowance from the first occurrence of a series on', async () => {
    const { wish } = await memberWith({ includedHours: 2, discountPercent: 50 });
    const { data } = await staff.series({
      ...wish('10:00', '11:00'),
      rule: 'FREQ=DAILY;BYDAY=TH,FR,MO,TU;COUNT=4',
    });
    const amounts = data.createBookingSeries.bookings.map(
      ({ price }: { price: { amount: number } }) => price.amount,
    );
    expect(amounts).toEqual([0, 0, 1_000, 1_000]);
  });
});

describe('the allowance', () => {
  it('is returned by a free cancellation but not by a late one', async () => {
    const { wish, room } = await memberWith({ includedHours: 1 });
    const { id } = await priceOf(wish('10:00', '11:00'));
    await staff.cancel(id);
    expect(await linesOf(wish('10:00', '11:00'))).toEqual([['ALLOWANCE', 60, 0]]);
    await app.ctx.db.resource.update({
      where: { id: room.id },
      data: { freeCancellationHours: 200 },
    });
    const late = await priceOf(wish('12:00', '13:00'));
    await staff.cancel(late.id);
    expect(await linesOf(wish('10:00', '11:00'))).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it('of a moved booking is counted once', async () => {
    const { wish } = await memberWith({ includedHours: 2 });
    const { id } = await priceOf(wish('10:00', '11:00'));
    const { data } = await staff.reschedule(id, march(20, '10:00', '12:00'));
    expect(data.rescheduleBooking.price.amount).toBe(0);
    const longer = await staff.reschedule(id, march(20, '10:00', '13:00'));
    expect(longer.data.rescheduleBooking.price.amount).toBe(2_000);
  });
});

describe('the limit of a plan', () => {
  it('rejects bookings beyond the monthly hours', async () => {
    const { wish } = await memberWith({ includedHours: 1, limitHours: 3 });
    await priceOf(wish('09:00', '11:00'));
    const beyond = await staff.create(wish('12:00', '13:15'));
    expect(beyond.errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'QUOTA_USED_UP',
    });
    expect(beyond.errors[0]?.message).toMatch(
      /allows 3 hours of room bookings a month; 2 hours are booked in 2026-03/,
    );
    expect((await staff.create({ ...wish('12:00', '13:15'), override: true })).errors).toEqual([]);
    const next = {
      ...wish('12:00', '13:00'),
      startsAt: '2026-04-02T10:00:00+02:00',
      endsAt: '2026-04-02T12:00:00+02:00',
    };
    expect((await staff.create(next)).errors).toEqual([]);
  });

  it('counts no-shows but not cancelled bookings', async () => {
    const { wish } = await memberWith({ limitHours: 1 });
    const { id } = await priceOf(wish('10:00', '11:00'));
    await staff.cancel(id);
    const second = await priceOf(wish('10:00', '11:00'));
    await app.ctx.db.booking.update({ where: { id: second.id }, data: { status: 'no_show' } });
    expect((await staff.create(wish('12:00', '13:00'))).errors[0]?.extensions.reason).toBe(
      'QUOTA_USED_UP',
    );
  });

  it('rejects the occurrences of a series beyond it', async () => {
    const { wish } = await memberWith({ limitHours: 2 });
    const { data } = await staff.series({
      ...wish('10:00', '11:00'),
      rule: 'FREQ=DAILY;BYDAY=TH,FR,MO;COUNT=3',
      onConflict: 'SKIP',
    });
    expect(data.createBookingSeries.bookings).toHaveLength(2);
    expect(data.createBookingSeries.conflicts[0].reasons[0].reason).toBe('QUOTA_USED_UP');
  });
});

import { v7 } from 'uuid';
import type { ResourceType } from '../../../src/db/generated/enums.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
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
  const toInput = (from: string, to: string, day = 19) => ({
    resourceId: room.id,
    memberId: member.id,
    ...march(day, from, to),
  });
  return { room, addRoom, member, toInput };
}

const getLines = async (input: Parameters<typeof staff.preview>[0]) =>
  (await staff.preview(input)).data.previewBooking.lines.map(
    ({ kind, minutes, amount }: { kind: string; minutes: number; amount: number }) => [
      kind,
      minutes,
      amount,
    ],
  );
const bookAndGetPrice = async (input: Parameters<typeof staff.create>[0]) => {
  const { data, errors } = await staff.create(input);
  expect(errors).toEqual([]);
  return {
    id: data.createBooking.booking.id as string,
    amount: data.createBooking.booking.price.amount as number,
  };
};

describe('the price', () => {
  it('is the public rate for guests and for members without a plan', async () => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app);
    for (const holder of [{ guest: { name: 'Greta' } }, { memberId: id }]) {
      expect(
        await getLines({ resourceId: room.id, ...holder, ...march(19, '10:00', '11:30') }),
      ).toEqual([['PUBLIC_RATE', 90, 3_000]]);
    }
  });

  it('uses the allowance first, then the member’s rate, and lists both', async () => {
    const { toInput } = await memberWith({ includedHours: 2, discountPercent: 25 });
    expect((await bookAndGetPrice(toInput('10:00', '11:00'))).amount).toBe(0);
    expect(await getLines(toInput('12:00', '15:00'))).toEqual([
      ['ALLOWANCE', 60, 0],
      ['MEMBER_RATE', 120, 3_000],
    ]);
    expect((await bookAndGetPrice(toInput('12:00', '15:00'))).amount).toBe(3_000);
    expect(await getLines(toInput('16:00', '17:00'))).toEqual([['MEMBER_RATE', 60, 1_500]]);
  });

  it('is rounded per line to the minor unit', async () => {
    const { member, addRoom } = await memberWith({ discountPercent: 33 });
    const odd = await addRoom({ hourlyAmount: 1_999 });
    expect(
      await getLines({ resourceId: odd.id, memberId: member.id, ...march(19, '10:00', '10:45') }),
    ).toEqual([['MEMBER_RATE', 45, 1_004]]);
  });

  it('uses a separate allowance for each type of resource', async () => {
    const { member, addRoom } = await memberWith({ includedHours: 10 });
    const desk = await addRoom({ type: 'desk' });
    expect(
      await getLines({ resourceId: desk.id, memberId: member.id, ...march(19, '10:00', '11:00') }),
    ).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it('uses the month of the booking and the membership of its day', async () => {
    const { toInput } = await memberWith({ includedHours: 1 }, { endsOn: new Date('2026-04-02') });
    expect((await bookAndGetPrice(toInput('10:00', '11:00'))).amount).toBe(0);
    expect((await bookAndGetPrice(toInput('11:00', '12:00'))).amount).toBe(2_000);
    const april = (day: number) => ({
      ...toInput('10:00', '11:00'),
      startsAt: `2026-04-0${day}T10:00:00+02:00`,
      endsAt: `2026-04-0${day}T11:00:00+02:00`,
    });
    expect((await bookAndGetPrice(april(2))).amount).toBe(0);
    expect(await getLines(april(3))).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it("uses the month in the location's time zone", async () => {
    const { toInput } = await memberWith({ includedHours: 1 });
    const night = { ...toInput('10:00', '11:00'), override: true };
    // In Berlin it is April already, in UTC still March.
    const { id } = await bookAndGetPrice({
      ...night,
      startsAt: '2026-03-31T22:30:00Z',
      endsAt: '2026-03-31T23:30:00Z',
    });
    const { usageMonth } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    expect(usageMonth).toEqual(new Date('2026-04-01'));
    expect(await getLines(toInput('12:00', '13:00'))).toEqual([['ALLOWANCE', 60, 0]]);
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
    expect((await bookAndGetPrice({ resourceId: room.id, memberId: a.id, ...span })).amount).toBe(
      0,
    );
    expect((await bookAndGetPrice({ resourceId: other.id, memberId: b.id, ...span })).amount).toBe(
      2_000,
    );
    await onPlan({ memberId: b.id }, { includedHours: 1 });
    expect(
      (
        await bookAndGetPrice({
          resourceId: other.id,
          memberId: b.id,
          ...march(19, '12:00', '13:00'),
        })
      ).amount,
    ).toBe(0);
  });

  it('uses the allowance from the first occurrence of a series on', async () => {
    const { toInput } = await memberWith({ includedHours: 2, discountPercent: 50 });
    const { data } = await staff.series({
      ...toInput('10:00', '11:00'),
      rule: 'FREQ=DAILY;BYDAY=TH,FR,MO,TU;COUNT=4',
    });
    const amounts = data.createBookingSeries.bookingSeries.bookings.map(
      ({ price }: { price: { amount: number } }) => price.amount,
    );
    expect(amounts).toEqual([0, 0, 1_000, 1_000]);
  });
});

describe('the allowance', () => {
  it('is returned by a free cancellation but not by a late one', async () => {
    const { toInput, room } = await memberWith({ includedHours: 1 });
    const { id } = await bookAndGetPrice(toInput('10:00', '11:00'));
    await staff.cancel(id);
    expect(await getLines(toInput('10:00', '11:00'))).toEqual([['ALLOWANCE', 60, 0]]);
    await app.ctx.db.resource.update({
      where: { id: room.id },
      data: { freeCancellationHours: 200 },
    });
    const late = await bookAndGetPrice(toInput('12:00', '13:00'));
    await staff.cancel(late.id);
    expect(await getLines(toInput('10:00', '11:00'))).toEqual([['PUBLIC_RATE', 60, 2_000]]);
  });

  it('is returned by a late cancellation whose fee is waived', async () => {
    const { toInput, room } = await memberWith({ includedHours: 1 });
    await app.ctx.db.resource.update({
      where: { id: room.id },
      data: { freeCancellationHours: 200 },
    });
    const { id } = await bookAndGetPrice(toInput('10:00', '11:00'));
    const { data } = await staff.cancel(id, { waiveFee: true });
    expect(data.cancelBooking.booking.cancellation.fee.amount).toBe(0);
    expect(await getLines(toInput('10:00', '11:00'))).toEqual([['ALLOWANCE', 60, 0]]);
  });

  it('of a moved booking is counted once', async () => {
    const { toInput } = await memberWith({ includedHours: 2 });
    const { id } = await bookAndGetPrice(toInput('10:00', '11:00'));
    const { data } = await staff.reschedule(id, march(20, '10:00', '12:00'));
    expect(data.rescheduleBooking.booking.price.amount).toBe(0);
    const longer = await staff.reschedule(id, march(20, '10:00', '13:00'));
    expect(longer.data.rescheduleBooking.booking.price.amount).toBe(2_000);
  });
});

describe('the limit of a plan', () => {
  it('rejects bookings beyond the monthly hours', async () => {
    const { toInput } = await memberWith({ includedHours: 1, limitHours: 3 });
    await bookAndGetPrice(toInput('09:00', '11:00'));
    const beyond = await staff.create(toInput('12:00', '13:15'));
    expect(beyond.errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'QUOTA_USED_UP',
    });
    expect(beyond.errors[0]?.message).toMatch(
      /allows 3 hours of room bookings a month; 2 hours are booked in March 2026/,
    );
    expect((await staff.create({ ...toInput('12:00', '13:15'), override: true })).errors).toEqual(
      [],
    );
    const next = {
      ...toInput('12:00', '13:00'),
      startsAt: '2026-04-02T10:00:00+02:00',
      endsAt: '2026-04-02T12:00:00+02:00',
    };
    expect((await staff.create(next)).errors).toEqual([]);
  });

  it('counts no-shows but not cancelled bookings', async () => {
    const { toInput } = await memberWith({ limitHours: 1 });
    const { id } = await bookAndGetPrice(toInput('10:00', '11:00'));
    await staff.cancel(id);
    const second = await bookAndGetPrice(toInput('10:00', '11:00'));
    await app.ctx.db.booking.update({ where: { id: second.id }, data: { status: 'no_show' } });
    expect((await staff.create(toInput('12:00', '13:00'))).errors[0]?.extensions.reason).toBe(
      'QUOTA_USED_UP',
    );
  });

  it('rejects the occurrences of a series beyond it', async () => {
    const { toInput } = await memberWith({ limitHours: 2 });
    const { data } = await staff.series({
      ...toInput('10:00', '11:00'),
      rule: 'FREQ=DAILY;BYDAY=TH,FR,MO;COUNT=3',
      onConflict: 'SKIP',
    });
    expect(data.createBookingSeries.bookingSeries.bookings).toHaveLength(2);
    expect(data.createBookingSeries.bookingSeries.conflicts[0].reasons[0].reason).toBe(
      'QUOTA_USED_UP',
    );
  });
});

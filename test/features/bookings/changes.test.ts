import { v7 } from 'uuid';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
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
  app.clock.now = NOW; // half past ten on Wednesday, 18 March 2026, in Berlin
});
afterAll(() => app.stop());

const guest = { name: 'Greta Guest' };
const inBerlin = (day: number, time: string) => new Date(march(day, time, time).startsAt);

async function bookedByMember(rules: Parameters<typeof makeSpace>[1] = {}) {
  const { room } = await makeSpace(app, rules);
  const member = await makeMember(app);
  const session = await member.signedIn();
  const own = bookingCalls(app, session);
  const { data } = await own.create({ resourceId: room.id, ...march(20, '10:00', '12:00') });
  return { room, own, member, session, id: data.createBooking.booking.id as string };
}

describe('cancelling', () => {
  it('frees the slot and saves the reason', async () => {
    const { room, own, id } = await bookedByMember();
    const { data } = await own.cancel(id, { reason: 'Ill' });
    expect(data.cancelBooking.booking).toMatchObject({
      status: 'CANCELLED',
      cancellation: { cancelledAt: NOW.toISOString(), reason: 'Ill', fee: { amount: 0 } },
    });
    const next = await staff.create({ resourceId: room.id, guest, ...march(20, '10:00', '12:00') });
    expect(next.errors).toEqual([]);
  });

  it('is free until the deadline and costs the price afterwards', async () => {
    const [inTime, late] = [
      await bookedByMember({ freeCancellationHours: 24 }),
      await bookedByMember({ freeCancellationHours: 24 }),
    ];
    app.clock.now = inBerlin(19, '10:00');
    expect(
      (await inTime.own.cancel(inTime.id)).data.cancelBooking.booking.cancellation.fee.amount,
    ).toBe(0);
    app.clock.now = new Date(inBerlin(19, '10:00').getTime() + 1);
    expect(
      (await late.own.cancel(late.id)).data.cancelBooking.booking.cancellation.fee.amount,
    ).toBe(4_000);
  });

  // SQL charges the fee, TypeScript calculates the deadline for previews, and the panel shows it.
  it.each([1, 24, 48, 72])('has the same deadline everywhere: %s hours', async (hours) => {
    const rules = { freeCancellationHours: hours, daysAhead: 60 };
    // Summer time begins on the 29th, so the longer periods before Monday have a day of 23 hours.
    const times = { startsAt: '2026-03-30T10:00:00+02:00', endsAt: '2026-03-30T12:00:00+02:00' };
    const { room } = await makeSpace(app, rules);
    const request = { resourceId: room.id, guest, ...times };
    const { data } = await staff.preview(request);
    const deadline = new Date(data.previewBooking.freeCancellationUntil);
    const getFee = async (now: Date) => {
      app.clock.now = NOW;
      const { id } = (await staff.create(request)).data.createBooking.booking;
      app.clock.now = now;
      return (await staff.cancel(id)).data.cancelBooking.booking.cancellation.fee.amount;
    };
    expect(await getFee(deadline)).toBe(0);
    expect(await getFee(new Date(deadline.getTime() + 1))).toBe(4_000);
  });

  it('is free after the deadline only if staff waives the fee', async () => {
    const { own, id } = await bookedByMember({ freeCancellationHours: 48 });
    app.clock.now = inBerlin(19, '10:00');
    expect((await own.cancel(id, { waiveFee: true })).codes).toEqual(['FORBIDDEN']);
    const { data } = await staff.cancel(id, { waiveFee: true });
    expect(data.cancelBooking.booking.cancellation.fee.amount).toBe(0);
  });

  it('is rejected when it is cancelled already, or has started, also for staff who waive the fee', async () => {
    const { own, id } = await bookedByMember();
    const started = await bookedByMember();
    await own.cancel(id);
    expect((await own.cancel(id)).errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'NOT_LIVE',
    });
    for (const time of ['10:00', '12:00']) {
      app.clock.now = inBerlin(20, time);
      for (const cancelled of [
        await started.own.cancel(started.id),
        await staff.cancel(started.id),
        await staff.cancel(started.id, { waiveFee: true }),
      ])
        expect(cancelled.errors[0]?.extensions.reason).toBe('STARTED');
    }
  });

  it('declines a request that nobody has approved at any time', async () => {
    const { own, id } = await bookedByMember({ requiresApproval: true });
    app.clock.now = inBerlin(20, '12:30');
    expect((await own.cancel(id)).errors).toEqual([]);
  });

  it('returns the booking in REST', async () => {
    const { id } = await bookedByMember();
    const token = { token: await app.token('bookings:write') };
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"reason":"Moved online"}',
    };
    const { status, body } = await app.rest(`/bookings/${id}/cancel`, token, init);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      booking: {
        id,
        status: 'cancelled',
        cancellation: { reason: 'Moved online', fee: { amount: 0, currency: 'EUR' } },
      },
    });
    expect((await app.rest(`/bookings/${id}/cancel`, token, init)).status).toBe(422);
  });
});

describe('rescheduling', () => {
  it('moves it in one step, updates the price and frees the old slot', async () => {
    const { room, own, id } = await bookedByMember();
    const { data } = await own.reschedule(id, march(20, '11:00', '14:00'));
    expect(data.rescheduleBooking.booking).toMatchObject({
      id,
      startsAt: '2026-03-20T10:00:00.000Z',
      price: { amount: 6_000 },
    });
    const before = await staff.create({
      resourceId: room.id,
      guest,
      ...march(20, '10:00', '11:00'),
    });
    expect(before.errors).toEqual([]);
  });

  it('keeps the old slot when the new one is unavailable', async () => {
    const { room, own, id } = await bookedByMember();
    await staff.create({ resourceId: room.id, guest, ...march(20, '14:00', '15:00') });
    const reserved = await own.reschedule(id, march(20, '13:30', '14:30'));
    expect(reserved.errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'SLOT_TAKEN',
    });
    const closed = await own.reschedule(id, march(21, '13:30', '14:30'));
    expect(closed.errors[0]?.extensions.reason).toBe('OUTSIDE_OPENING_HOURS');
    expect(
      (await staff.reschedule(id, march(21, '13:30', '14:30'))).errors[0]?.extensions.reason,
    ).toBe('OUTSIDE_OPENING_HOURS');
    const { startsAt } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    expect(startsAt).toEqual(inBerlin(20, '10:00'));
    expect(
      (await staff.reschedule(id, march(21, '13:30', '14:30'), { override: true })).errors,
    ).toEqual([]);
  });

  it('is limited to staff after the deadline', async () => {
    const { own, id } = await bookedByMember({ freeCancellationHours: 24 });
    app.clock.now = inBerlin(19, '12:00');
    const late = await own.reschedule(id, march(25, '10:00', '12:00'));
    expect(late.errors[0]?.extensions.reason).toBe('DEADLINE_PASSED');
    expect((await staff.reschedule(id, march(25, '10:00', '12:00'))).errors).toEqual([]);
  });

  it('is rejected for a cancelled booking', async () => {
    const { own, id } = await bookedByMember();
    await own.cancel(id);
    expect(
      (await own.reschedule(id, march(20, '13:00', '14:00'))).errors[0]?.extensions.reason,
    ).toBe('NOT_LIVE');
  });
});

describe('moving to another resource', () => {
  const PREVIEW = `query ($id: ID!, $resourceId: ID, $startsAt: DateTime!, $endsAt: DateTime!) {
    previewReschedule(id: $id, resourceId: $resourceId, startsAt: $startsAt, endsAt: $endsAt) {
      allowed status price { amount } reasons { reason } freeCancellationUntil } }`;
  const slot = march(20, '10:00', '12:00');

  it('applies the price, the rules and the approval of the new one, as its preview', async () => {
    const { room, own, session, id } = await bookedByMember();
    const { locationId } = room;
    const suite = { locationId, slug: `suite-${v7()}`, name: 'Suite', type: 'room' } as const;
    const other = await app.ctx.db.resource.create({
      data: { ...suite, hourlyAmount: 3_000, requiresApproval: true, minMinutes: 60 },
    });
    const target = { resourceId: other.id };
    const short = march(20, '10:00', '10:30');
    const { data: tooShort } = await app.graphql(PREVIEW, { id, ...target, ...short }, session);
    expect(tooShort.previewReschedule.reasons).toEqual([{ reason: 'TOO_SHORT' }]);
    const { data } = await app.graphql(PREVIEW, { id, ...target, ...slot }, session);
    expect(data.previewReschedule).toMatchObject({
      ...{ allowed: true, status: 'PENDING', price: { amount: 6_000 } },
    });
    const moved = await own.reschedule(id, slot, target);
    expect(moved.data.rescheduleBooking.booking).toMatchObject({
      ...{ id, status: 'PENDING', price: { amount: 6_000 } },
    });
    // Both calendars: the old room is free, and the new one is taken.
    const old = await staff.create({ resourceId: room.id, guest, ...slot });
    expect(old.errors).toEqual([]);
    const taken = await staff.create({ resourceId: other.id, guest, ...slot });
    expect(taken.errors[0]?.extensions.reason).toBe('SLOT_TAKEN');
    const change = await app.ctx.db.change.findFirstOrThrow({
      where: { subjectId: id, type: 'booking.rescheduled' },
    });
    expect([change.before, change.after]).toMatchObject([
      { resource_id: room.id, price_amount: 4_000, status: 'confirmed' },
      { resource_id: other.id, price_amount: 6_000, status: 'pending' },
    ]);
    // The old room is taken now.
    const back = await own.reschedule(id, slot, { resourceId: room.id });
    expect(back.errors[0]?.extensions.reason).toBe('SLOT_TAKEN');
    expect((await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).resourceId).toBe(
      other.id,
    );
  });

  it('uses the hours of the plan for the new type of resource', async () => {
    const { room, addRoom } = await makeSpace(app);
    const desk = await addRoom({ name: 'Desk', type: 'desk' });
    const { id: memberId } = await makeMember(app);
    const plan = await app.ctx.db.plan.create({ data: { name: `Rooms ${v7()}` } });
    await app.ctx.db.planBenefit.create({
      data: { planId: plan.id, resourceType: 'room', includedHours: 2 },
    });
    const { id: membershipId } = await app.ctx.db.membership.create({
      data: { planId: plan.id, memberId, startsOn: new Date('2026-03-01') },
    });
    const input = { memberId, ...march(20, '10:00', '12:00') };
    const { data } = await staff.create({ resourceId: room.id, ...input });
    const { id } = data.createBooking.booking;
    const find = () =>
      app.ctx.db.booking.findUniqueOrThrow({
        where: { id },
        select: { membershipId: true, includedMinutes: true, priceAmount: true },
      });
    expect(await find()).toEqual({ membershipId, includedMinutes: 120, priceAmount: 0 });
    await staff.reschedule(id, slot, { resourceId: desk.id });
    expect(await find()).toEqual({ membershipId, includedMinutes: 0, priceAmount: 4_000 });
    await staff.reschedule(id, slot, { resourceId: room.id });
    expect(await find()).toEqual({ membershipId, includedMinutes: 120, priceAmount: 0 });
  });

  it('is rejected for an unknown resource and for one of another location', async () => {
    const { own, id } = await bookedByMember();
    const { room: elsewhere } = await makeSpace(app);
    const move = async (resourceId: string) =>
      (await own.reschedule(id, slot, { resourceId })).errors[0]?.extensions;
    expect(await move(elsewhere.id)).toMatchObject({ reason: 'RESOURCE_ELSEWHERE' });
    expect(await move(v7())).toMatchObject({ code: 'NOT_FOUND' });
    expect(await move('room')).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('another member’s booking', () => {
  it('returns 404 for every operation', async () => {
    const { id } = await bookedByMember();
    const as = await (await makeMember(app)).signedIn();
    const eve = bookingCalls(app, as);
    const responses = [
      await eve.cancel(id),
      await eve.reschedule(id, march(20, '13:00', '14:00')),
      await app.graphql('query ($id: ID!) { booking(id: $id) { id } }', { id }, as),
      await app.graphql(
        'mutation ($id: ID!) { updateBooking(input: { id: $id, title: "x" }) { booking { id } } }',
        { id },
        as,
      ),
    ];
    const unknown = await eve.cancel(v7());
    for (const { errors } of responses) {
      const [{ message, extensions } = {}] = errors;
      expect({ message, extensions }).toEqual({
        message: unknown.errors[0]?.message,
        extensions: unknown.errors[0]?.extensions,
      });
    }
    expect((await app.rest(`/bookings/${id}`, as)).status).toBe(404);
  });
});

describe('the title and the notes', () => {
  it('can be changed and cleared', async () => {
    const { id } = await bookedByMember();
    const token = { token: await app.token('bookings:write') };
    const change = (input: object) =>
      app.graphql(
        'mutation ($input: UpdateBookingInput!) { updateBooking(input: $input) { booking { title notes } } }',
        { input: { id, ...input } },
        token,
      );
    expect((await change({ title: 'Band', notes: 'Loud' })).data.updateBooking.booking).toEqual({
      title: 'Band',
      notes: 'Loud',
    });
    expect((await change({ notes: null })).data.updateBooking.booking).toEqual({
      title: 'Band',
      notes: null,
    });
  });
});

describe('no-shows', () => {
  const getStatus = async (id: string) =>
    (await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).status;
  const checkIn = async (id: string) =>
    app.graphql(
      'mutation ($id: ID!) { checkInBooking(input: { id: $id }) { booking { checkedInAt } } }',
      { id },
      { token: await app.token('check-ins:write') },
    );

  it("release the booking after the resource's no-show minutes", async () => {
    const { room, id } = await bookedByMember({ noShowMinutes: 15 });
    app.clock.now = new Date(inBerlin(20, '10:15').getTime() - 1);
    await releaseNoShows(app.ctx);
    expect(await getStatus(id)).toBe('confirmed');
    app.clock.now = inBerlin(20, '10:15');
    expect(await releaseNoShows(app.ctx)).toBe(1);
    expect(await getStatus(id)).toBe('no_show');
    expect(await releaseNoShows(app.ctx)).toBe(0);
    const next = await staff.create({ resourceId: room.id, guest, ...march(20, '10:30', '12:00') });
    expect(next.errors).toEqual([]);
  });

  it('are not released without a limit or after a check-in', async () => {
    const [unlimited, arrived] = [
      await bookedByMember(),
      await bookedByMember({ noShowMinutes: 15 }),
    ];
    app.clock.now = inBerlin(20, '09:30');
    expect((await checkIn(arrived.id)).data.checkInBooking.booking.checkedInAt).toBe(
      app.clock.now.toISOString(),
    );
    app.clock.now = inBerlin(20, '11:00');
    await releaseNoShows(app.ctx);
    expect(await getStatus(unlimited.id)).toBe('confirmed');
    expect(await getStatus(arrived.id)).toBe('confirmed');
  });

  it('stay confirmed if the job runs only after their end, as after an outage', async () => {
    const { id } = await bookedByMember({ noShowMinutes: 15 });
    const { endsAt } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    for (const now of [endsAt, inBerlin(21, '10:00')]) {
      app.clock.now = now;
      await releaseNoShows(app.ctx);
      expect(await getStatus(id)).toBe('confirmed');
    }
  });

  it('are released until their end', async () => {
    const { id } = await bookedByMember({ noShowMinutes: 15 });
    const { endsAt } = await app.ctx.db.booking.findUniqueOrThrow({ where: { id } });
    app.clock.now = new Date(endsAt.getTime() - 1);
    await releaseNoShows(app.ctx);
    expect(await getStatus(id)).toBe('no_show');
  });

  it('can check in exactly an hour early', async () => {
    const { id } = await bookedByMember();
    app.clock.now = inBerlin(20, '09:00');
    expect((await checkIn(id)).data.checkInBooking.booking.checkedInAt).toBe(
      app.clock.now.toISOString(),
    );
  });

  it('cannot check in more than an hour early, after the end or when cancelled', async () => {
    const { id, own } = await bookedByMember();
    app.clock.now = inBerlin(20, '08:59');
    expect((await checkIn(id)).errors[0]?.extensions.reason).toBe('NOT_YET');
    app.clock.now = inBerlin(20, '12:00');
    expect((await checkIn(id)).errors[0]?.extensions.reason).toBe('NOT_LIVE');
    app.clock.now = inBerlin(20, '09:30');
    await own.cancel(id);
    expect((await checkIn(id)).errors[0]?.extensions.reason).toBe('NOT_LIVE');
  });
});

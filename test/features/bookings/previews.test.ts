import type { Credential } from '../../support/clients/api.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import {
  type BookingRequest,
  bookingCalls,
  makeSpace,
  march,
} from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// What previews, slots and alternatives promise is what a booking then gets.

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;
let staffCredential: Credential;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staffCredential = await signInFrontDesk(app);
  staff = bookingCalls(app, staffCredential);
});
beforeEach(() => {
  app.clock.now = NOW; // half past ten on Wednesday, 18 March 2026, in Berlin
});
afterAll(() => app.stop());

const guest = { name: 'Greta Guest' };

const previewReschedule = (
  id: string,
  times: { startsAt: string; endsAt: string },
  as: Credential,
) =>
  app.graphql(
    `query ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
      previewReschedule(id: $id, startsAt: $startsAt, endsAt: $endsAt) { allowed status } }`,
    { id, ...times },
    as,
  );

describe('the preview of a move', () => {
  it.each(['member', 'staff', 'token'])(
    'shows the status that the move by a %s gives',
    async (by) => {
      const { room } = await makeSpace(app, { requiresApproval: true });
      const member = await (await makeMember(app)).signedIn();
      const own = bookingCalls(app, member);
      const as = { member, staff: staffCredential, token: { token: await app.token('*') } }[by];
      if (as === undefined) throw new Error(`Unknown caller: ${by}`);
      for (const isApproved of [false, true]) {
        const { data } = await own.create({ resourceId: room.id, ...march(20, '10:00', '11:00') });
        const { id } = data.createBooking.booking;
        const approve = `mutation { confirmBooking(input: { id: "${id}" }) { booking { id } } }`;
        if (isApproved) await app.graphql(approve, {}, staffCredential);
        const times = march(20, '11:00', '12:00');
        const preview = await previewReschedule(id, times, as);
        const moved = await bookingCalls(app, as).reschedule(id, times);
        expect(preview.data.previewReschedule.status).toBe(
          moved.data.rescheduleBooking.booking.status,
        );
        await staff.cancel(id);
      }
    },
  );

  it("rejects a member's booking that is over, as the move does", async () => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const member = await (await makeMember(app)).signedIn();
    const own = bookingCalls(app, member);
    const { data } = await own.create({ resourceId: room.id, ...march(18, '12:00', '13:00') });
    const { id } = data.createBooking.booking;
    app.clock.now = new Date(march(18, '13:00', '13:00').startsAt);
    const times = march(20, '12:00', '13:00');
    for (const { errors } of [
      await previewReschedule(id, times, member),
      await own.reschedule(id, times),
    ])
      expect(errors[0]?.extensions.reason).toBe('NOT_LIVE');
  });
});

/** A member whose plan allows this many hours in rooms a month. */
async function makeLimitedMember(limitHours: number) {
  const member = await makeMember(app);
  const benefit = { resourceType: 'room', includedHours: 0, limitHours } as const;
  await app.ctx.db.membership.create({
    data: {
      member: { connect: { id: member.id } },
      plan: { create: { name: member.name, benefits: { create: benefit } } },
      startsOn: new Date('2026-01-01'),
    },
  });
  return member;
}

describe('slots for a member', () => {
  const findSlots = async (resourceId: string, memberId: string, as: Credential) => {
    const { data } = await app.graphql(
      `query ($resourceId: ID, $memberId: ID) { availability(resourceId: $resourceId, memberId: $memberId, minutes: 60,
        from: "2026-03-26T00:00:00Z", to: "2026-04-05T00:00:00Z") { slots { startsAt endsAt } } }`,
      { resourceId, memberId },
      as,
    );
    return data.availability[0].slots as { startsAt: string; endsAt: string }[];
  };

  it('leave out months in which the limit of the plan is reached', async () => {
    const { room } = await makeSpace(app);
    const { id: memberId, signedIn } = await makeLimitedMember(1);
    const member = await signedIn();
    const input = { resourceId: room.id, memberId };
    await staff.create({ ...input, ...march(20, '10:00', '11:00') });
    for (const as of [staffCredential, member]) {
      const slots = await findSlots(room.id, memberId, as);
      expect(slots.length).toBeGreaterThan(0);
      for (const { startsAt } of slots) expect(startsAt >= '2026-03-31T22:00').toBe(true);
      const { data } = await staff.preview({ ...input, ...(slots[0] as BookingRequest) });
      expect(data.previewBooking.allowed).toBe(true);
    }
  });

  it('are empty for a member who cannot book', async () => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app, { status: 'paused' });
    expect(await findSlots(room.id, id, staffCredential)).toEqual([]);
  });

  it('leave out the same months among the alternatives of a rejected booking', async () => {
    const { room } = await makeSpace(app);
    const { id: memberId } = await makeLimitedMember(1);
    // The last hour of March is used. Tuesday, 31 March, and Wednesday, 1 April, are open.
    await staff.create({ resourceId: room.id, memberId, ...march(20, '10:00', '11:00') });
    await staff.create({
      resourceId: room.id,
      guest,
      startsAt: '2026-04-01T09:00:00+02:00',
      endsAt: '2026-04-01T10:00:00+02:00',
    });
    const { data } = await staff.preview({
      resourceId: room.id,
      memberId,
      startsAt: '2026-04-01T09:00:00+02:00',
      endsAt: '2026-04-01T10:00:00+02:00',
    });
    const starts = data.previewBooking.alternatives.map(({ localStart }: { localStart: string }) =>
      localStart.slice(0, 16),
    );
    expect(starts).toEqual(['2026-04-01T10:00', '2026-04-01T10:15', '2026-04-01T10:30']);
  });
});

describe('alternatives of a booking that exceeds the limit of the plan', () => {
  const previewStarts = async (input: BookingRequest) => {
    const { data } = await staff.preview(input);
    const { reasons, alternatives } = data.previewBooking;
    return {
      reasons: reasons.map(({ reason }: { reason: string }) => reason),
      starts: alternatives.map(({ localStart }: { localStart: string }) => localStart.slice(0, 16)),
    };
  };

  it('are in the next month, if it is within seven days', async () => {
    const { room } = await makeSpace(app);
    const { id: memberId } = await makeLimitedMember(1);
    const input = { resourceId: room.id, memberId };
    await staff.create({ ...input, ...march(20, '10:00', '11:00') });
    expect(await previewStarts({ ...input, ...march(30, '10:00', '11:00') })).toEqual({
      reasons: ['QUOTA_USED_UP'],
      starts: ['2026-04-01T09:00', '2026-04-01T09:15', '2026-04-01T09:30'],
    });
    expect(await previewStarts({ ...input, ...march(30, '06:00', '07:00') })).toEqual({
      reasons: ['OUTSIDE_OPENING_HOURS', 'QUOTA_USED_UP'],
      starts: ['2026-04-01T09:00', '2026-04-01T09:15', '2026-04-01T09:30'],
    });
    expect(await previewStarts({ ...input, ...march(23, '10:00', '11:00') })).toEqual({
      reasons: ['QUOTA_USED_UP'],
      starts: [],
    });
  });

  it('are named by the error of the booking as well', async () => {
    const { room } = await makeSpace(app);
    const { id: memberId } = await makeLimitedMember(1);
    const input = { resourceId: room.id, memberId };
    await staff.create({ ...input, ...march(20, '10:00', '11:00') });
    const { errors } = await staff.create({ ...input, ...march(31, '10:00', '11:00') });
    expect(errors[0]?.message).toContain('Free times: Wednesday, 1 April 2026, 09:00, 09:15');
  });

  it('are empty if the booking is longer than the limit, or the member cannot book', async () => {
    const { room } = await makeSpace(app);
    const { id: memberId } = await makeLimitedMember(1);
    const input = { resourceId: room.id, memberId };
    expect(await previewStarts({ ...input, ...march(31, '10:00', '12:00') })).toEqual({
      reasons: ['QUOTA_USED_UP'],
      starts: [],
    });
    await app.ctx.db.member.update({ where: { id: memberId }, data: { status: 'paused' } });
    expect(await previewStarts({ ...input, ...march(31, '10:00', '12:00') })).toEqual({
      reasons: ['MEMBER_INACTIVE', 'QUOTA_USED_UP'],
      starts: [],
    });
  });
});

describe('alternatives', () => {
  it('are the nearest slots before and after, also days away', async () => {
    const { room, location } = await makeSpace(app);
    const { db } = app.ctx;
    await db.openingHours.deleteMany({ where: { locationId: location.id } });
    // Mondays and Thursdays from nine to ten.
    for (const weekday of [1, 4]) {
      await db.openingHours.create({
        data: { locationId: location.id, weekday, opensMinute: 540, closesMinute: 600 },
      });
    }
    // Tuesday noon is 27 hours after Monday's slot and 45 before Thursday's.
    const { data } = await staff.preview({
      resourceId: room.id,
      guest,
      ...march(24, '12:00', '13:00'),
    });
    const starts = data.previewBooking.alternatives.map(({ localStart }: { localStart: string }) =>
      localStart.slice(0, 16),
    );
    expect(starts).toEqual(['2026-03-23T09:00', '2026-03-26T09:00', '2026-03-19T09:00']);
  });
});

describe('check-in of a booking', () => {
  it('needs its approval', async () => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const own = bookingCalls(app, await (await makeMember(app)).signedIn());
    const { data } = await own.create({ resourceId: room.id, ...march(18, '11:00', '12:00') });
    const { id } = data.createBooking.booking;
    app.clock.now = new Date(march(18, '11:00', '11:00').startsAt);
    const checkIn = () =>
      app.graphql(
        `mutation { checkInBooking(input: { id: "${id}" }) { booking { status checkedInAt } } }`,
        {},
        staffCredential,
      );
    expect((await checkIn()).errors[0]?.extensions.reason).toBe('AWAITING_APPROVAL');
    const approve = `mutation { confirmBooking(input: { id: "${id}" }) { booking { id } } }`;
    await app.graphql(approve, {}, staffCredential);
    expect((await checkIn()).data.checkInBooking.booking).toMatchObject({
      status: 'CONFIRMED',
      checkedInAt: app.clock.now.toISOString(),
    });
  });
});

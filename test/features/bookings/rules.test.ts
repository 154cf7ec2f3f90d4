import { v7 } from 'uuid';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import {
  type BookingRequest,
  bookingCalls,
  makeSpace,
  march,
} from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;
let token: { token: string };

// The tests run at 10:30 on Wednesday, 18 March 2026, in Berlin.
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
  token = { token: await app.token('bookings:write') };
});
afterAll(() => app.stop());

const guest = { name: 'Greta Guest', email: 'greta@example.org' };

/** The response of the preview and of the booking, in both APIs. */
async function previewAndCreate(request: BookingRequest) {
  const { data } = await staff.preview(request);
  const reasons = data.previewBooking.reasons.map(({ reason }: { reason: string }) => reason);
  const { errors, codes } = await staff.create(request);
  const { startsAt, endsAt, resourceId, memberId } = request;
  const holder = memberId ? { member_id: memberId } : { guest: request.guest };
  const rest = await app.rest('/bookings', token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resource_id: resourceId,
      starts_at: startsAt,
      ends_at: endsAt,
      ...holder,
    }),
  });
  expect(errors[0]?.extensions.reason).toBe(reasons[0]);
  expect(data.previewBooking.allowed).toBe(errors.length === 0);
  if (!request.override && reasons.length > 0)
    expect(rest).toMatchObject({ status: 422, body: { data: errors[0]?.message } });
  return { reasons, code: codes[0], message: errors[0]?.message ?? '' };
}

describe('rejects a booking with a reason and a message', () => {
  it.each([
    ['TOO_SHORT', {}, march(19, '10:00', '10:15'), /at least 30 minutes/],
    ['TOO_LONG', { maxMinutes: 120 }, march(19, '10:00', '12:15'), /at most 120 minutes/],
    ['NOT_ON_GRID', {}, march(19, '10:05', '11:05'), /every 15 minutes/],
    ['NOT_ON_GRID', {}, march(19, '10:00', '10:50'), /multiple/],
    [
      'OUTSIDE_OPENING_HOURS',
      {},
      march(19, '17:30', '18:30'),
      /open on Thursdays from 09:00 to 18:00/,
    ],
    ['OUTSIDE_OPENING_HOURS', {}, march(21, '10:00', '11:00'), /not open on Saturdays/],
    ['TOO_SOON', {}, march(18, '10:00', '11:00'), /has passed/],
    [
      'TOO_SOON',
      { noticeMinutes: 120 },
      march(18, '12:00', '13:00'),
      /at least 120 minutes in advance/,
    ],
    [
      'TOO_FAR_AHEAD',
      { daysAhead: 7 },
      march(26, '10:00', '11:00'),
      /at most 7 days in advance, until Wednesday, 25 March 2026\./,
    ],
    [
      'RESOURCE_INACTIVE',
      { active: false },
      march(19, '10:00', '11:00'),
      /is not available for booking/,
    ],
  ])('%s (%#)', async (reason, rules, span, message) => {
    const { room } = await makeSpace(app, rules);
    const result = await previewAndCreate({ resourceId: room.id, guest, ...span });
    expect(result).toMatchObject({ reasons: [reason], code: 'VALIDATION' });
    expect(result.message).toMatch(message);
  });

  it('CLOSED on a closing day, with its reason', async () => {
    const { room, location } = await makeSpace(app);
    const day = new Date('2026-03-19T00:00:00Z');
    await app.ctx.db.closure.create({
      data: { locationId: location.id, startsOn: day, endsOn: day, reason: 'Stocktaking' },
    });
    const result = await previewAndCreate({
      resourceId: room.id,
      guest,
      ...march(19, '10:00', '11:00'),
    });
    expect(result.reasons).toEqual(['CLOSED']);
    expect(result.message).toMatch(
      /^House is closed on Thursday, 19 March 2026 \(Stocktaking\)\. Free times: Wednesday, 18 March 2026, 17:00,/,
    );
  });

  it.each(['paused', 'former'] as const)('MEMBER_INACTIVE for a %s member', async (status) => {
    const { room } = await makeSpace(app);
    const { id, name } = await makeMember(app, { status });
    const result = await previewAndCreate({
      resourceId: room.id,
      memberId: id,
      ...march(19, '10:00', '11:00'),
    });
    expect(result.reasons).toEqual(['MEMBER_INACTIVE']);
    expect(result.message).toContain(name);
  });

  it('SLOT_TAKEN during another booking and its buffer', async () => {
    const { room } = await makeSpace(app, { bufferMinutes: 15 });
    const reserved = await staff.create({
      resourceId: room.id,
      guest,
      title: 'Choir',
      ...march(19, '11:00', '12:00'),
    });
    expect(reserved.errors).toEqual([]);
    for (const [from, to] of [
      ['11:30', '12:30'],
      ['10:00', '13:00'],
      ['12:00', '13:00'],
      ['10:00', '11:00'],
    ] as const) {
      const result = await previewAndCreate({ resourceId: room.id, guest, ...march(19, from, to) });
      expect(result).toMatchObject({ reasons: ['SLOT_TAKEN'], code: 'CONFLICT' });
    }
    const { data } = await staff.preview({
      resourceId: room.id,
      guest,
      ...march(19, '11:30', '12:30'),
    });
    expect(data.previewBooking.collisions).toEqual([
      expect.objectContaining({
        title: 'Choir',
        holder: 'Greta Guest',
        startsAt: '2026-03-19T10:00:00.000Z',
      }),
    ]);
    expect(
      data.previewBooking.alternatives.map(({ localStart }: { localStart: string }) => localStart),
    ).toEqual(['2026-03-19T12:15+01:00', '2026-03-19T12:30+01:00', '2026-03-19T12:45+01:00']);
    const free = await staff.create({ resourceId: room.id, guest, ...march(19, '12:15', '13:15') });
    expect(free.errors).toEqual([]);
  });

  it('SLOT_TAKEN during a published event', async () => {
    const { room, location } = await makeSpace(app);
    await app.ctx.db.event.create({
      data: {
        slug: 'stage',
        title: 'Stage',
        status: 'published',
        locationId: location.id,
        resourceId: room.id,
        startsAt: new Date('2026-03-19T10:00:00Z'),
        endsAt: new Date('2026-03-19T12:00:00Z'),
      },
    });
    const { reasons } = await previewAndCreate({
      resourceId: room.id,
      guest,
      ...march(19, '12:00', '14:00'),
    });
    expect(reasons).toEqual(['SLOT_TAKEN']);
  });

  it('with all reasons, not only the first', async () => {
    const { room } = await makeSpace(app, { maxMinutes: 60 });
    const { reasons } = await previewAndCreate({
      resourceId: room.id,
      guest,
      ...march(22, '07:05', '12:00'),
    });
    expect(reasons).toEqual(['OUTSIDE_OPENING_HOURS', 'TOO_LONG', 'NOT_ON_GRID']);
  });
});

describe('rejects invalid input with the same message in the preview', () => {
  it.each([
    ['ENDS_BEFORE_START', march(19, '11:00', '10:00')],
    ['ZERO_LENGTH', march(19, '11:00', '11:00')],
    ['TOO_LONG', { startsAt: '2026-03-19T10:00:00Z', endsAt: '2036-03-19T10:00:00Z' }],
    ['TOO_FAR_AHEAD', { startsAt: '9999-12-31T10:00:00Z', endsAt: '9999-12-31T11:00:00Z' }],
    ['TOO_FAR_AHEAD', { startsAt: '0001-01-01T10:00:00Z', endsAt: '0001-01-01T11:00:00Z' }],
    ['TOO_FAR_AHEAD', { startsAt: '0026-03-19T09:06:32Z', endsAt: '0026-03-19T10:06:32Z' }],
  ])('%s (%#)', async (reason, span) => {
    const { room } = await makeSpace(app);
    for (const send of [staff.preview, staff.create]) {
      const { errors } = await send({ resourceId: room.id, guest, override: true, ...span });
      expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason });
    }
  });

  it('without a holder or with two', async () => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app);
    const span = march(19, '10:00', '11:00');
    for (const holder of [{}, { guest, memberId: id }]) {
      const { errors } = await staff.create({ resourceId: room.id, ...span, ...holder });
      expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'HOLDER_NEEDED' });
    }
  });

  it('for an unknown resource or member', async () => {
    const { room } = await makeSpace(app);
    const span = march(19, '10:00', '11:00');
    for (const request of [
      { resourceId: v7(), guest },
      { resourceId: 'no id', guest },
      { resourceId: room.id, memberId: v7() },
      { resourceId: room.id, memberId: 'no id' },
    ]) {
      expect((await staff.create({ ...span, ...request })).codes).toEqual(['NOT_FOUND']);
    }
  });
});

describe('staff', () => {
  it('can override booking rules', async () => {
    const { room } = await makeSpace(app, {
      maxMinutes: 60,
      daysAhead: 1,
      gridMinutes: 60,
    });
    const { id } = await makeMember(app, { status: 'paused' });
    const request = {
      resourceId: room.id,
      memberId: id,
      override: true,
      ...march(28, '05:10', '23:00'),
    };
    expect((await previewAndCreate(request)).reasons).toEqual([]);
  });

  it('cannot override conflicts or an inactive resource', async () => {
    const { room } = await makeSpace(app);
    const span = march(19, '10:00', '11:00');
    await staff.create({ resourceId: room.id, guest, ...span });
    const again = await staff.create({ resourceId: room.id, guest, override: true, ...span });
    expect(again.errors[0]?.extensions).toMatchObject({ reason: 'SLOT_TAKEN' });
  });
});

describe('a member', () => {
  it('books for themselves by default and for no one else', async () => {
    const { room } = await makeSpace(app);
    const [ben, eve] = [await makeMember(app), await makeMember(app)];
    const own = bookingCalls(app, await ben.signedIn());
    const { data } = await own.create({ resourceId: room.id, ...march(19, '10:00', '11:00') });
    expect(data.createBooking.booking.member.id).toBe(ben.id);
    const span = { resourceId: room.id, ...march(19, '12:00', '13:00') };
    expect((await own.create({ ...span, memberId: eve.id })).codes).toEqual(['NOT_FOUND']);
    const forGuest = await own.create({ ...span, guest });
    expect(forGuest.errors[0]?.extensions).toMatchObject({ reason: 'GUEST_NOT_ALLOWED' });
    const overriding = await own.create({ ...span, override: true });
    expect(overriding.errors[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'STAFF_ONLY',
    });
  });

  it('sees booked slots without holders, except for their own bookings', async () => {
    const { room } = await makeSpace(app);
    const ben = await makeMember(app);
    const own = bookingCalls(app, await ben.signedIn());
    await staff.create({
      resourceId: room.id,
      guest,
      title: 'Secret',
      ...march(19, '10:00', '11:00'),
    });
    await own.create({ resourceId: room.id, title: 'Mine', ...march(19, '11:00', '12:00') });
    const { data } = await own.preview({ resourceId: room.id, ...march(19, '10:00', '12:00') });
    expect(data.previewBooking.collisions.map(({ title }: { title: string }) => title)).toEqual([
      null,
      'Mine',
    ]);
    expect(JSON.stringify(data)).not.toMatch(/Secret|Greta/);
  });

  it('needs approval if the resource requires it', async () => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const ben = await makeMember(app);
    const as = await ben.signedIn();
    const own = bookingCalls(app, as);
    const { data } = await own.create({ resourceId: room.id, ...march(19, '10:00', '11:00') });
    expect(data.createBooking.booking.status).toBe('PENDING');
    const reserved = await staff.create({
      resourceId: room.id,
      guest,
      ...march(19, '10:00', '11:00'),
    });
    expect(reserved.errors[0]?.extensions.reason).toBe('SLOT_TAKEN');
    const approve = (who: object) =>
      app.graphql(
        'mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { status } } }',
        { id: data.createBooking.booking.id },
        who,
      );
    expect((await approve(as)).codes).toEqual(['FORBIDDEN']);
    expect((await approve(token)).data.confirmBooking.booking.status).toBe('CONFIRMED');
    expect((await approve(token)).errors[0]?.extensions.reason).toBe('NOT_PENDING');
  });
});

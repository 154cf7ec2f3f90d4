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

describe('a series with concurrent changes', () => {
  it('serializes moves, cancellations and updates without internal errors', async () => {
    const { room } = await makeSpace(app, { maxMinutes: 60 });
    const input = { resourceId: room.id, guest, ...march(19, '10:00', '11:00') };
    const { data } = await staff.series({
      ...input,
      rule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=100',
    });
    const ids: string[] = data.createBookingSeries.bookingSeries.bookings.map(
      ({ id }: { id: string }) => id,
    );
    const [first = '', , , last = ''] = ids;
    const rename = (id: string) =>
      app.graphql(
        'mutation ($id: ID!) { updateBooking(input: { id: $id, scope: ALL, title: "x" }) { booking { id } } }',
        { id },
        { token },
      );
    const token = await app.token('bookings:write');
    const responses = await Promise.all([
      ...[0, 1, 2].flatMap((hour) => [
        staff.reschedule(first, march(19, `1${hour + 1}:00`, `1${hour + 2}:00`), { scope: 'ALL' }),
        rename(last),
        staff.cancel(ids[90 + hour] ?? '', { scope: 'FOLLOWING' }),
        rename(first),
      ]),
    ]);
    const codes = responses.flatMap(({ codes }) => codes);
    expect(codes.filter((code) => code !== 'CONFLICT')).toEqual([]);
    const statuses = await app.ctx.db.booking.groupBy({
      by: ['status'],
      where: { resourceId: room.id },
      _count: true,
    });
    expect(statuses.map(({ status, _count }) => [status, _count]).toSorted()).toEqual([
      ['cancelled', 10],
      ['confirmed', 90],
    ]);
  });
});

describe('approval', () => {
  it('is lost when a member moves the booking, but not when staff does', async () => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const own = bookingCalls(app, await (await makeMember(app)).signedIn());
    const { data } = await own.create({ resourceId: room.id, ...march(20, '10:00', '11:00') });
    const { id } = data.createBooking.booking;
    await app.graphql(
      'mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { id } } }',
      { id },
      { token: await app.token('*') },
    );
    const byStaff = await staff.reschedule(id, march(20, '11:00', '12:00'));
    expect(byStaff.data.rescheduleBooking.booking.status).toBe('CONFIRMED');
    const byMember = await own.reschedule(id, march(20, '09:00', '17:00'));
    expect(byMember.data.rescheduleBooking.booking.status).toBe('PENDING');
  });
});

describe('a booking that was checked in', () => {
  it('loses its check-in when it moves to the future', async () => {
    const { room } = await makeSpace(app);
    const { data } = await staff.create({
      resourceId: room.id,
      guest,
      ...march(18, '11:00', '12:00'),
    });
    const { id } = data.createBooking.booking;
    const token = { token: await app.token('check-ins:write') };
    await app.graphql(
      'mutation ($id: ID!) { checkInBooking(input: { id: $id }) { booking { id } } }',
      { id },
      token,
    );
    const moved = await staff.reschedule(id, march(20, '11:00', '12:00'));
    expect(moved.data.rescheduleBooking.booking.checkedInAt).toBeNull();
  });
});

describe('a booking that is entered after its start', () => {
  it('is released as a no-show counted from its creation', async () => {
    const { room } = await makeSpace(app, { noShowMinutes: 15 });
    const input = { resourceId: room.id, guest, override: true, ...march(18, '10:00', '12:00') };
    const { data } = await staff.create(input);
    const getStatus = async () =>
      (await app.ctx.db.booking.findUniqueOrThrow({ where: { id: data.createBooking.booking.id } }))
        .status;
    await releaseNoShows(app.ctx);
    expect(await getStatus()).toBe('confirmed');
    app.clock.now = new Date(NOW.getTime() + 15 * 60_000);
    await releaseNoShows(app.ctx);
    expect(await getStatus()).toBe('no_show');
  });
});

describe('what a token can learn about a member', () => {
  it("requires members:read or bookings:write to see a member's prices", async () => {
    const { room } = await makeSpace(app);
    const paused = await makeMember(app, { status: 'paused' });
    const input = { resourceId: room.id, memberId: paused.id, ...march(19, '10:00', '11:00') };
    const reader = { token: await app.token('spaces:read', 'bookings:read') };
    const previews = [
      await bookingCalls(app, reader).preview(input),
      await app.graphql(
        'query ($input: CreateBookingSeriesInput!) { previewBookingSeries(input: $input) { conflicts { localStart } } }',
        { input: { ...input, rule: 'FREQ=WEEKLY;COUNT=2' } },
        reader,
      ),
    ];
    for (const { codes } of previews) expect(codes).toEqual(['NOT_FOUND']);
    for (const scope of ['members:read', 'bookings:write']) {
      const as = { token: await app.token('spaces:read', scope) };
      const { data } = await bookingCalls(app, as).preview(input);
      expect(data.previewBooking.reasons[0].reason).toBe('MEMBER_INACTIVE');
    }
  });
});

describe('invalid times', () => {
  it('rejects fractions of a minute', async () => {
    const { room } = await makeSpace(app);
    for (const endsAt of ['2026-03-19T10:00:20Z', '2026-03-19T10:30:00.001Z']) {
      const input = {
        resourceId: room.id,
        guest,
        override: true,
        startsAt: '2026-03-19T10:00:00Z',
        endsAt,
      };
      for (const send of [staff.preview, staff.create]) {
        expect((await send(input)).errors[0]?.extensions.reason).toBe('NOT_WHOLE_MINUTES');
      }
    }
  });

  it('rejects a series beyond ten years', async () => {
    const { room } = await makeSpace(app);
    const member = await makeMember(app);
    const input = { resourceId: room.id, memberId: member.id, ...march(19, '10:00', '11:00') };
    const { errors } = await staff.series({
      ...input,
      override: true,
      rule: 'FREQ=YEARLY;INTERVAL=100;COUNT=100',
    });
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'SERIES_TOO_LONG' });
  });

  it('rejects a price that exceeds 31 bits', async () => {
    const { room } = await makeSpace(app, { hourlyAmount: 12_000_000 });
    const input = {
      resourceId: room.id,
      guest,
      override: true,
      startsAt: '2026-04-01T00:00:00Z',
      endsAt: '2026-04-30T00:00:00Z',
    };
    for (const send of [staff.preview, staff.create]) {
      expect((await send(input)).errors[0]?.extensions.reason).toBe('PRICE_TOO_HIGH');
    }
  });
});

describe('a resource that is booked by the day', () => {
  it('is booked from midnight to midnight at the price of a day, even when daylight saving changes', async () => {
    const { room, location } = await makeSpace(app, {
      gridMinutes: 1_440,
      minMinutes: 1_440,
      maxMinutes: 4_320,
      hourlyAmount: 100,
    });
    await app.ctx.db.openingHours.deleteMany({ where: { locationId: location.id } });
    const reader = { token: await app.token('spaces:read') };
    const from = '2026-03-28T00:00:00%2B01:00';
    const { body } = await app.rest(
      `/resources/${room.id}/availability?from=${from}&to=2026-03-31T00:00:00%2B02:00`,
      reader,
    );
    const days = (
      body.data as { slots: { starts_at: string; ends_at: string; price: { amount: number } }[] }
    ).slots;
    expect(days.map(({ starts_at, ends_at, price }) => [starts_at, ends_at, price.amount])).toEqual(
      [
        ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', 2_400],
        ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', 2_400],
        ['2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z', 2_400],
      ],
    );
    const three = { startsAt: '2026-03-27T23:00:00Z', endsAt: '2026-03-30T22:00:00Z' };
    const { data, errors } = await staff.create({ resourceId: room.id, guest, ...three });
    expect(errors).toEqual([]);
    expect(data.createBooking.booking.price.amount).toBe(7_200);
    const elapsed = { startsAt: '2026-04-01T22:00:00Z', endsAt: '2026-04-02T23:00:00Z' };
    const elapsedBooking = await staff.create({ resourceId: room.id, guest, ...elapsed });
    expect(elapsedBooking.errors[0]?.extensions.reason).toBe('NOT_ON_GRID');
  });
});

describe('a move', () => {
  it('can be previewed without a conflict with itself', async () => {
    const { room } = await makeSpace(app);
    const { data } = await staff.create({
      resourceId: room.id,
      guest,
      ...march(19, '10:00', '11:00'),
    });
    const preview = async (span: object, as = { token }) =>
      app.graphql(
        `query ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
          previewReschedule(id: $id, startsAt: $startsAt, endsAt: $endsAt) { allowed price { amount } reasons { reason } } }`,
        { id: data.createBooking.booking.id, ...span },
        as,
      );
    const token = await app.token('bookings:write');
    const overlapping = await preview(march(19, '10:30', '12:30'));
    expect(overlapping.data.previewReschedule).toEqual({
      allowed: true,
      price: { amount: 4_000 },
      reasons: [],
    });
    const closed = await preview(march(21, '10:30', '12:30'));
    expect(closed.data.previewReschedule.reasons).toEqual([{ reason: 'OUTSIDE_OPENING_HOURS' }]);
    await staff.cancel(data.createBooking.booking.id);
    expect((await preview(march(19, '10:30', '12:30'))).errors[0]?.extensions.reason).toBe(
      'NOT_LIVE',
    );
  });
});

describe('a member who is late', () => {
  it('gets DEADLINE_PASSED from the preview of a move and from the move', async () => {
    const { room } = await makeSpace(app, { freeCancellationHours: 48 });
    const as = await (await makeMember(app)).signedIn();
    const own = bookingCalls(app, as);
    const { data } = await own.create({ resourceId: room.id, ...march(19, '10:00', '11:00') });
    const { id } = data.createBooking.booking;
    const text = `query ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
      previewReschedule(id: $id, startsAt: $startsAt, endsAt: $endsAt) { allowed } }`;
    const preview = await app.graphql(text, { id, ...march(20, '10:00', '11:00') }, as);
    const move = await own.reschedule(id, march(20, '10:00', '11:00'));
    for (const { errors } of [preview, move])
      expect(errors[0]?.extensions.reason).toBe('DEADLINE_PASSED');
    expect(preview.errors[0]?.message).toMatch(/was Tuesday, 17 March 2026, 10:00 \(Berlin time\)/);
  });
});

describe('a series', () => {
  it('can be read afterwards', async () => {
    const { room } = await makeSpace(app);
    const input = {
      resourceId: room.id,
      guest,
      ...march(19, '10:00', '11:00'),
      rule: 'FREQ=WEEKLY;COUNT=3',
    };
    const { data } = await staff.series(input);
    const { id, bookings } = data.createBookingSeries.bookingSeries;
    const read = async (seriesId: string) =>
      (
        await app.graphql(
          'query ($id: ID!) { bookings(filter: { seriesId: $id }) { edges { node { id } } } }',
          { id: seriesId },
          { token: await app.token('bookings:read') },
        )
      ).data.bookings.edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(await read(id)).toEqual(bookings.map((booking: { id: string }) => booking.id));
    expect(await read(v7())).toEqual([]);
  });

  it.each([
    [
      'an excluded date that is not in the series',
      { exdates: ['2026-03-26T00:00:00+01:00'] },
      'EXDATE_UNKNOWN',
    ],
    [
      'a first day that does not match the rule',
      { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=3' },
      'START_NOT_IN_SERIES',
    ],
    ['an invalid count', { rule: 'FREQ=WEEKLY;COUNT=1e9' }, 'RULE_UNREADABLE'],
    ['a count below one', { rule: 'FREQ=WEEKLY;COUNT=-1' }, 'RULE_UNREADABLE'],
    ['an unknown part', { rule: 'FREQ=WEEKLY;COUNT=3;BYEASTER=0' }, 'RULE_UNREADABLE'],
    ['another calendar', { rule: 'RSCALE=HEBREW;FREQ=WEEKLY;COUNT=3' }, 'RULE_UNREADABLE'],
    ['a repeated part', { rule: 'FREQ=WEEKLY;COUNT=3;COUNT=4' }, 'RULE_UNREADABLE'],
  ])('rejects %s', async (_, more, reason) => {
    const { room } = await makeSpace(app);
    const input = {
      resourceId: room.id,
      guest,
      ...march(19, '10:00', '11:00'),
      rule: 'FREQ=WEEKLY;COUNT=3',
    };
    expect((await staff.series({ ...input, ...more })).errors[0]?.extensions.reason).toBe(reason);
  });
});

describe('one request', () => {
  it('can query availability at most twice', async () => {
    const { room } = await makeSpace(app);
    const many = Array.from(
      { length: 4 },
      (_, i) => `a${i}: availability(resourceId: "${room.id}") { slots { startsAt } }`,
    );
    const { errors } = await app.graphql(
      `{ ${many.join(' ')} }`,
      {},
      { token: await app.token('spaces:read') },
    );
    expect(errors[0]?.extensions.reason).toBe('QUERY_TOO_COMPLEX');
  });
});

describe('a rejection', () => {
  it('includes alternatives in REST', async () => {
    const { room } = await makeSpace(app);
    const body = JSON.stringify({
      resource_id: room.id,
      starts_at: '2026-03-19T09:00:00Z',
      ends_at: '2026-03-19T10:00:00Z',
      guest,
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const token = { token: await app.token('bookings:write') };
    expect((await app.rest('/bookings', token, init)).status).toBe(201);
    const { status, body: response } = await app.rest('/bookings', token, init);
    expect(status).toBe(422);
    expect(response.data).toBe(
      'Room is booked from Thursday, 19 March 2026, 10:00 to 11:00 (Berlin time). Free times: Thursday, 19 March 2026, 09:00, 11:00, 11:15 (Berlin time).',
    );
  });
});

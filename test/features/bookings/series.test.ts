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
const starts = (bookings: { startsAt: string }[]) => bookings.map(({ startsAt }) => startsAt);

async function weekly(rule = 'FREQ=WEEKLY;COUNT=4', more: object = {}) {
  const { room, location, addRoom } = await makeSpace(app);
  const input = { resourceId: room.id, guest, ...march(19, '10:00', '11:00'), rule, ...more };
  return { room, location, addRoom, input };
}

async function booked(count = 4) {
  const { input, room } = await weekly(`FREQ=WEEKLY;COUNT=${count}`);
  const { data } = await staff.series(input);
  const ids: string[] = data.createBookingSeries.bookingSeries.bookings.map(
    ({ id }: { id: string }) => id,
  );
  return { room, ids, seriesId: data.createBookingSeries.bookingSeries.id as string };
}

const findRows = (seriesId: string) =>
  app.ctx.db.booking.findMany({ where: { seriesId }, orderBy: { startsAt: 'asc' } });

describe('a series', () => {
  it('is booked as a whole and stays at ten o’clock when daylight saving changes', async () => {
    const { input } = await weekly();
    const { data } = await staff.series({ ...input, title: 'Choir' });
    const { bookings, conflicts, rule, id } = data.createBookingSeries.bookingSeries;
    expect({ conflicts, rule }).toEqual({ conflicts: [], rule: 'FREQ=WEEKLY;COUNT=4' });
    expect(starts(bookings)).toEqual([
      '2026-03-19T09:00:00.000Z',
      '2026-03-26T09:00:00.000Z',
      '2026-04-02T08:00:00.000Z',
      '2026-04-09T08:00:00.000Z',
    ]);
    for (const booking of bookings) {
      expect(booking).toMatchObject({
        title: 'Choir',
        seriesId: id,
        price: { amount: 2_000 },
        guest: { name: 'Greta Guest' },
      });
    }
  });

  it('skips excluded dates', async () => {
    const { input } = await weekly();
    const { data } = await staff.series({ ...input, exdates: ['2026-03-26T10:00:00+01:00'] });
    expect(starts(data.createBookingSeries.bookingSeries.bookings)).toEqual([
      '2026-03-19T09:00:00.000Z',
      '2026-04-02T08:00:00.000Z',
      '2026-04-09T08:00:00.000Z',
    ]);
  });

  it.each([
    ['a day', 'UNTIL=20260402', 3],
    ['an instant in UTC', 'UNTIL=20260402T080000Z', 3],
    ['an instant just before', 'UNTIL=20260402T075959Z', 2],
    ['a time by the wall clock', 'UNTIL=20260402T100000', 3],
  ])('ends with %s', async (_, until, count) => {
    const { input } = await weekly(`FREQ=WEEKLY;${until}`);
    const { data } = await staff.series(input);
    expect(data.createBookingSeries.bookingSeries.bookings).toHaveLength(count);
  });

  it('is rejected as a whole with the reasons for each unavailable occurrence', async () => {
    const { input, room } = await weekly();
    await staff.create({ resourceId: room.id, guest, ...march(26, '10:30', '12:00') });
    const { errors } = await staff.series(input);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'SERIES_CONFLICTS',
      conflicts: [
        {
          startsAt: '2026-03-26T09:00:00.000Z',
          localStart: '2026-03-26T10:00',
          reasons: [{ reason: 'SLOT_TAKEN' }],
        },
      ],
    });
    expect(await app.ctx.db.booking.count({ where: { resourceId: room.id } })).toBe(1);
    expect(await app.ctx.db.bookingSeries.count({ where: { bookings: { none: {} } } })).toBe(0);
  });

  it('skips and reports unavailable occurrences with onConflict SKIP', async () => {
    const { input, location } = await weekly();
    const day = new Date('2026-04-02T00:00:00Z');
    await app.ctx.db.closure.create({
      data: { locationId: location.id, startsOn: day, endsOn: day },
    });
    const { data } = await staff.series({ ...input, onConflict: 'SKIP' });
    expect(data.createBookingSeries.bookingSeries.bookings).toHaveLength(3);
    expect(data.createBookingSeries.bookingSeries.conflicts).toEqual([
      {
        startsAt: '2026-04-02T08:00:00.000Z',
        localStart: '2026-04-02T10:00',
        reasons: [expect.objectContaining({ reason: 'CLOSED' })],
      },
    ]);
  });

  it('is rejected with onConflict SKIP when no occurrence is available', async () => {
    const { input } = await weekly('FREQ=WEEKLY;COUNT=3', {
      onConflict: 'SKIP',
      startsAt: '2026-03-21T10:00:00+01:00',
      endsAt: '2026-03-21T11:00:00+01:00',
    });
    expect((await staff.series(input)).errors[0]?.extensions.reason).toBe('SERIES_CONFLICTS');
  });

  it('does not overlap itself', async () => {
    const { room } = await makeSpace(app, { maxMinutes: 3_000, bufferMinutes: 0 });
    const input = {
      resourceId: room.id,
      guest,
      startsAt: '2026-03-19T09:00:00Z',
      endsAt: '2026-03-20T10:00:00Z',
      override: true,
    };
    const { errors } = await staff.series({ ...input, rule: 'FREQ=DAILY;COUNT=2' });
    expect(errors[0]?.extensions).toMatchObject({
      conflicts: [{ localStart: '2026-03-20T10:00', reasons: [{ reason: 'SLOT_TAKEN' }] }],
    });
  });

  it('lists bookable occurrences and conflicts in a preview', async () => {
    const { input, room } = await weekly();
    await staff.create({ resourceId: room.id, guest, ...march(26, '10:30', '12:00') });
    const { data } = await app.graphql(
      `query ($input: CreateBookingSeriesInput!) { previewBookingSeries(input: $input) {
        occurrences { startsAt price { amount } } conflicts { localStart reasons { reason } } } }`,
      { input },
      { token: await app.token('spaces:read') },
    );
    expect(data.previewBookingSeries.occurrences).toHaveLength(3);
    expect(data.previewBookingSeries.conflicts).toEqual([
      { localStart: '2026-03-26T10:00', reasons: [{ reason: 'SLOT_TAKEN' }] },
    ]);
  });
});

describe('rejects a rule', () => {
  it.each([
    ['without an end', 'FREQ=DAILY', 'SERIES_ENDLESS'],
    ['of a million occurrences', 'FREQ=DAILY;COUNT=1000000', 'SERIES_TOO_LONG'],
    ['that ends after a thousand years', 'FREQ=DAILY;UNTIL=30260101', 'SERIES_TOO_LONG'],
    ['with more than 366', 'FREQ=DAILY;COUNT=367', 'SERIES_TOO_LONG'],
    ['without occurrences', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', 'SERIES_EMPTY'],
    ['that ends before it begins', 'FREQ=DAILY;UNTIL=20200101', 'SERIES_EMPTY'],
    ['with two ends', 'FREQ=DAILY;COUNT=3;UNTIL=20260401', 'RULE_UNREADABLE'],
    ['by the hour', 'FREQ=HOURLY;COUNT=3', 'RULE_TOO_OFTEN'],
    ['several times a day', 'FREQ=DAILY;BYHOUR=9,15;COUNT=4', 'RULE_TOO_OFTEN'],
    ['that is not a rule', 'every tuesday', 'RULE_UNREADABLE'],
    ['with a misspelt part', 'FREQ=WEEKLY;BYDAY=XX;COUNT=3', 'RULE_UNREADABLE'],
    ['with an invalid UNTIL date', 'FREQ=WEEKLY;UNTIL=20261399', 'RULE_UNREADABLE'],
  ])('%s', async (_, rule, reason) => {
    const { input } = await weekly(rule);
    const { errors } = await staff.series(input);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason });
  });
});

describe('changing a series', () => {
  it('cancels one booking, the following ones, or all', async () => {
    const { ids, seriesId } = await booked(5);
    const statuses = async () =>
      (await findRows(seriesId)).map(({ status }) => status === 'cancelled');
    await staff.cancel(ids[1] ?? '');
    expect(await statuses()).toEqual([false, true, false, false, false]);
    await staff.cancel(ids[3] ?? '', { scope: 'FOLLOWING', reason: 'Tour' });
    expect(await statuses()).toEqual([false, true, false, true, true]);
    await staff.cancel(ids[0] ?? '', { scope: 'ALL' });
    expect(await statuses()).toEqual([true, true, true, true, true]);
    expect((await findRows(seriesId)).map(({ cancelReason }) => cancelReason)).toEqual([
      null,
      null,
      null,
      'Tour',
      'Tour',
    ]);
  });

  it('does not cancel past bookings with scope ALL', async () => {
    const { ids, seriesId } = await booked();
    app.clock.now = new Date('2026-03-24T09:00:00Z');
    await staff.cancel(ids[2] ?? '', { scope: 'ALL' });
    expect((await findRows(seriesId)).map(({ status }) => status)).toEqual([
      'confirmed',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
  });

  it('moves the following bookings by the same local time difference', async () => {
    const { ids, seriesId } = await booked();
    const { data, errors } = await staff.reschedule(ids[1] ?? '', march(27, '11:00', '13:00'), {
      scope: 'FOLLOWING',
    });
    expect(errors).toEqual([]);
    expect(data.rescheduleBooking.booking.startsAt).toBe('2026-03-27T10:00:00.000Z');
    expect(
      (await findRows(seriesId)).map(({ startsAt, priceAmount }) => [
        startsAt.toISOString(),
        priceAmount,
      ]),
    ).toEqual([
      ['2026-03-19T09:00:00.000Z', 2_000],
      ['2026-03-27T10:00:00.000Z', 4_000],
      ['2026-04-03T09:00:00.000Z', 4_000],
      ['2026-04-10T09:00:00.000Z', 4_000],
    ]);
  });

  it('can move a booking to the old slot of another', async () => {
    const { input } = await weekly('FREQ=DAILY;COUNT=2');
    const { data } = await staff.series(input);
    const [first] = data.createBookingSeries.bookingSeries.bookings;
    const { errors } = await staff.reschedule(first.id, march(20, '10:00', '11:00'), {
      scope: 'ALL',
      override: true,
    });
    expect(errors).toEqual([]);
    expect(
      starts(
        (await findRows(data.createBookingSeries.bookingSeries.id)).map((row) => ({
          startsAt: row.startsAt.toISOString(),
        })),
      ),
    ).toEqual(['2026-03-20T09:00:00.000Z', '2026-03-21T09:00:00.000Z']);
  });

  it('moves one to another room, which later changes of the series keep', async () => {
    const { input, addRoom } = await weekly();
    const other = await addRoom({ name: 'Suite', hourlyAmount: 3_000 });
    const { data } = await staff.series(input);
    const { id: seriesId, bookings } = data.createBookingSeries.bookingSeries;
    const [first, second] = bookings;
    const move = (id: string, day: number, time: string, more: object) =>
      staff.reschedule(id, march(day, time, `${Number(time.slice(0, 2)) + 1}:00`), more);
    const listed = async () =>
      (await findRows(seriesId)).map(({ resourceId, startsAt, priceAmount }) => [
        resourceId === other.id ? 'Suite' : 'Room',
        startsAt.toISOString().slice(11, 16),
        priceAmount,
      ]);
    expect((await move(second.id, 26, '10:00', { resourceId: other.id })).errors).toEqual([]);
    // The last two are in summer time.
    expect(await listed()).toEqual([
      ['Room', '09:00', 2_000],
      ['Suite', '09:00', 3_000],
      ['Room', '08:00', 2_000],
      ['Room', '08:00', 2_000],
    ]);
    // Only the booking of the other room is in the way.
    await staff.create({ resourceId: other.id, guest, ...march(26, '14:00', '15:00') });
    const blocked = await move(first.id, 19, '14:00', { scope: 'ALL' });
    expect(blocked.errors[0]?.extensions).toMatchObject({
      reason: 'SERIES_CONFLICTS',
      conflicts: [{ localStart: '2026-03-26T14:00' }],
    });
    expect((await move(first.id, 19, '15:00', { scope: 'ALL' })).errors).toEqual([]);
    expect(await listed()).toEqual([
      ['Room', '14:00', 2_000],
      ['Suite', '14:00', 3_000],
      ['Room', '13:00', 2_000],
      ['Room', '13:00', 2_000],
    ]);
    await move(second.id, 26, '15:00', { scope: 'FOLLOWING', resourceId: other.id });
    expect(await listed()).toEqual([
      ['Room', '14:00', 2_000],
      ['Suite', '14:00', 3_000],
      ['Suite', '13:00', 3_000],
      ['Suite', '13:00', 3_000],
    ]);
  });

  it('moves none when one is unavailable', async () => {
    const { room, ids, seriesId } = await booked();
    const before = await findRows(seriesId);
    await staff.create({
      resourceId: room.id,
      guest,
      startsAt: '2026-04-09T12:00:00+02:00',
      endsAt: '2026-04-09T13:00:00+02:00',
    });
    const { errors } = await staff.reschedule(ids[0] ?? '', march(19, '12:00', '13:00'), {
      scope: 'ALL',
    });
    expect(errors[0]?.extensions).toMatchObject({
      reason: 'SERIES_CONFLICTS',
      conflicts: [{ localStart: '2026-04-09T12:00' }],
    });
    expect(await findRows(seriesId)).toEqual(before);
  });

  it("rejects another member's series", async () => {
    const { room } = await makeSpace(app);
    const ben = await makeMember(app);
    const own = bookingCalls(app, await ben.signedIn());
    const { data } = await own.series({
      resourceId: room.id,
      ...march(19, '10:00', '11:00'),
      rule: 'FREQ=WEEKLY;COUNT=2',
    });
    const [first] = data.createBookingSeries.bookingSeries.bookings;
    expect(first.member.id).toBe(ben.id);
    const eve = bookingCalls(app, await (await makeMember(app)).signedIn());
    expect((await eve.cancel(first.id, { scope: 'ALL' })).codes).toEqual(['NOT_FOUND']);
    expect((await own.cancel(first.id, { scope: 'ALL' })).errors).toEqual([]);
  });
});

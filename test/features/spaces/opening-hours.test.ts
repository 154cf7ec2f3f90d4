import { v7 } from 'uuid';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { countStatements } from '../../support/harness/database.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let place: string;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('spaces:read') };
  writer = { token: await app.token('spaces:read', 'spaces:write') };
});
afterAll(() => app.stop());

beforeEach(async () => {
  const location = await createLocation(app.ctx, {
    name: 'Foyer Wien',
    slug: `wien-${v7()}`,
    timeZone: 'Europe/Vienna',
  });
  place = location.id;
});

const HOURS = 'openingHours { weekday opens closes }';
const set = (hours: object[], as = writer, locationId = place) =>
  app.graphql(
    `mutation ($id: ID!, $hours: [OpeningHoursInput!]!) {
      setOpeningHours(input: { locationId: $id, hours: $hours }) { location { id ${HOURS} } } }`,
    { id: locationId, hours },
    as,
  );
const getHours = async (id: string) =>
  (await app.graphql(`query ($id: ID!) { location(id: $id) { ${HOURS} } }`, { id }, reader)).data
    .location.openingHours;

const WEEK = [
  { weekday: 'MONDAY', opens: '09:00', closes: '12:30' },
  { weekday: 'MONDAY', opens: '13:00', closes: '18:00' },
  { weekday: 'SATURDAY', opens: '00:00', closes: '24:00' },
];

describe('the opening hours of a location', () => {
  it('are empty at first and are returned sorted by weekday', async () => {
    expect(await getHours(place)).toEqual([]);
    const { data } = await set(WEEK.toReversed());
    expect(data.setOpeningHours.location).toEqual({ id: place, openingHours: WEEK });
    expect(await getHours(place)).toEqual(WEEK);
    const rows = await app.ctx.db.openingHours.findMany({
      where: { locationId: place },
      orderBy: [{ weekday: 'asc' }, { opensMinute: 'asc' }],
    });
    expect(rows.map((row) => [row.weekday, row.opensMinute, row.closesMinute])).toEqual([
      [1, 540, 750],
      [1, 780, 1080],
      [6, 0, 1440],
    ]);
  });

  it('are replaced as a whole week, even by an empty one', async () => {
    await set(WEEK);
    const sundays = [{ weekday: 'SUNDAY', opens: '10:00', closes: '11:00' }];
    await set(sundays);
    expect(await getHours(place)).toEqual(sundays);
    await set([]);
    expect(await getHours(place)).toEqual([]);
  });

  it('can follow each other without a break', async () => {
    const hours = [
      { weekday: 'TUESDAY', opens: '08:00', closes: '12:00' },
      { weekday: 'TUESDAY', opens: '12:00', closes: '16:00' },
    ];
    expect((await set(hours)).data.setOpeningHours.location.openingHours).toEqual(hours);
  });

  it.each([
    ['close before they open', [['10:00', '09:00']], 'CLOSES_BEFORE_OPENS'],
    ['close as they open', [['10:00', '10:00']], 'CLOSES_BEFORE_OPENS'],
    ['open at the end of the day', [['24:00', '24:00']], 'CLOSES_BEFORE_OPENS'],
    [
      'overlap',
      [
        ['12:59', '18:00'],
        ['09:00', '13:00'],
      ],
      'HOURS_OVERLAP',
    ],
    ['are not times', [['9:00', '18:00']], 'INVALID_INPUT'],
    ['exceed the day', [['09:00', '24:01']], 'INVALID_INPUT'],
    ['have too many minutes', [['09:60', '18:00']], 'INVALID_INPUT'],
  ])('are rejected when they %s, and the week stays', async (_, spans, reason) => {
    await set(WEEK);
    const hours = spans.map(([opens, closes]) => ({ weekday: 'FRIDAY', opens, closes }));
    const { errors } = await set(hours);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason });
    expect(errors[0]?.message).toMatch(/\w/);
    expect(await getHours(place)).toEqual(WEEK);
  });

  it('are rejected with the overlapping entries', async () => {
    const { errors } = await set([
      { weekday: 'MONDAY', opens: '09:00', closes: '13:00' },
      { weekday: 'MONDAY', opens: '12:00', closes: '18:00' },
    ]);
    expect(errors[0]?.message).toContain('Monday 09:00 to 13:00 and Monday 12:00 to 18:00 overlap');
  });

  it('are not mixed by two concurrent updates', async () => {
    const weeks = ['06:00', '07:00', '08:00', '09:00'].map((opens) => [
      { weekday: 'MONDAY', opens, closes: '18:00' },
      { weekday: 'FRIDAY', opens, closes: '18:00' },
    ]);
    for (let round = 0; round < 3; round += 1) {
      const responses = await Promise.all(weeks.map((week) => set(week)));
      expect(responses.map(({ codes }) => codes)).toEqual([[], [], [], []]);
      expect(weeks).toContainEqual(await getHours(place));
    }
  });

  it('require spaces:write and an existing location', async () => {
    expect((await set(WEEK, reader)).codes).toEqual(['FORBIDDEN']);
    for (const id of [v7(), 'wien'])
      expect((await set(WEEK, writer, id)).codes).toEqual(['NOT_FOUND']);
  });

  it('are loaded in one statement for a list', async () => {
    const text = `{ locations { edges { node { ${HOURS} closures { id } } } } }`;
    // Resolvers answer each text once. PostgreSQL answers the next request with it.
    const send = (comment: string) => app.graphql(`${text} # ${comment}`, {}, reader);
    expect((await send('')).data.locations.edges.length).toBeGreaterThan(2);
    for (const table of ['opening_hours', 'closures'])
      expect(await countStatements(app, table, () => send(table))).toBe(1);
  });
});

describe('a closure', () => {
  const CLOSURE = 'id startsOn endsOn reason location { id } bookingsAffected';
  const create = (input: object, as = writer) =>
    app.graphql(
      `mutation ($input: CreateClosureInput!) { createClosure(input: $input) { closure { ${CLOSURE} } } }`,
      { input: { locationId: place, startsOn: '2026-03-29', endsOn: '2026-03-29', ...input } },
      as,
    );
  const remove = (id: string) =>
    app.graphql(
      `mutation ($id: ID!) { deleteClosure(input: { id: $id }) { deletedClosureId } }`,
      { id },
      writer,
    );
  const closures = async (from: string | null = null) => {
    const text = `query ($id: ID!, $from: Date) { location(id: $id) { closures(from: $from) { reason } } }`;
    const { data } = await app.graphql(text, { id: place, from }, reader);
    return data.location.closures.map(({ reason }: { reason: string }) => reason);
  };

  it('is listed by start, from a given day on', async () => {
    await create({ reason: 'Later', startsOn: '2026-08-01', endsOn: '2026-08-15' });
    const { data } = await create({
      reason: 'Sooner',
      startsOn: '2026-05-01',
      endsOn: '2026-05-01',
    });
    expect(data.createClosure.closure).toEqual({
      id: data.createClosure.closure.id,
      startsOn: '2026-05-01',
      endsOn: '2026-05-01',
      reason: 'Sooner',
      location: { id: place },
      bookingsAffected: 0,
    });
    expect(await closures()).toEqual(['Sooner', 'Later']);
    expect(await closures('2026-05-01')).toEqual(['Sooner', 'Later']);
    expect(await closures('2026-05-02')).toEqual(['Later']);
    expect(await closures('2026-08-15')).toEqual(['Later']);
    expect(await closures('2026-08-16')).toEqual([]);
  });

  it('counts the live bookings in local time and cancels none', async () => {
    const { id: resourceId } = await app.ctx.db.resource.create({
      data: { locationId: place, slug: `room-${v7()}`, name: 'Room', type: 'room' },
    });
    // On 29 March the clocks of Vienna go forward: the day is from 23:00Z to 22:00Z.
    const book = (
      startsAt: string,
      endsAt: string,
      status: 'confirmed' | 'pending' | 'cancelled',
    ) =>
      app.ctx.db.booking.create({
        data: {
          resourceId,
          locationId: place,
          guestName: 'Guest',
          status,
          startsAt: new Date(startsAt),
          endsAt: new Date(endsAt),
          occupiedUntil: new Date(endsAt),
        },
      });
    await book('2026-03-28T22:00:00Z', '2026-03-28T23:00:00Z', 'confirmed'); // ends as the day begins
    await book('2026-03-28T23:00:00Z', '2026-03-29T00:00:00Z', 'confirmed');
    await book('2026-03-29T10:00:00Z', '2026-03-29T11:00:00Z', 'pending');
    await book('2026-03-29T12:00:00Z', '2026-03-29T13:00:00Z', 'cancelled');
    await book('2026-03-29T21:30:00Z', '2026-03-29T22:30:00Z', 'confirmed');
    await book('2026-03-29T22:30:00Z', '2026-03-29T23:30:00Z', 'confirmed'); // the next day

    const { data } = await create({});
    expect(data.createClosure.closure.bookingsAffected).toBe(3);
    const longer = await create({ endsOn: '2026-03-30' });
    expect(longer.data.createClosure.closure.bookingsAffected).toBe(4);
    const live = { resourceId, status: { in: ['confirmed' as const, 'pending' as const] } };
    expect(await app.ctx.db.booking.count({ where: live })).toBe(5);
  });

  it('can be deleted once', async () => {
    const { data } = await create({ reason: 'Painters' });
    const { id } = data.createClosure.closure;
    expect((await remove(id)).data.deleteClosure).toEqual({ deletedClosureId: id });
    expect(await closures()).toEqual([]);
    for (const unknownId of [id, 'x'])
      expect((await remove(unknownId)).codes).toEqual(['NOT_FOUND']);
  });

  it.each([
    ['an end before its start', { startsOn: '2026-03-30' }, 'VALIDATION'],
    ['an invalid date', { endsOn: '2026-02-30' }, 'BAD_REQUEST'],
    ['an instant instead of a date', { endsOn: '2026-03-30T00:00:00Z' }, 'BAD_REQUEST'],
    ['a date too far in the future', { endsOn: '9999-12-31' }, 'BAD_REQUEST'],
    ['an unknown location', { locationId: v7() }, 'NOT_FOUND'],
    ['a blank reason', { reason: ' ' }, 'VALIDATION'],
  ])('is rejected with %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('is rejected with a hint about the date format', async () => {
    const { errors } = await create({ endsOn: 'tomorrow, secretly' });
    expect(errors[0]?.message).toContain('must be a real date such as 2026-01-31');
    expect(errors[0]?.message).not.toContain('secretly');
  });

  it('hides the number of bookings without spaces:write', async () => {
    await create({});
    const text = `query ($id: ID!) { location(id: $id) { closures { bookingsAffected } } }`;
    expect((await app.graphql(text, { id: place }, reader)).codes).toEqual(['FORBIDDEN']);
    expect((await create({}, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

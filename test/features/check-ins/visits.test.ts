import fc from 'fast-check';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { purgeRejectedAttempts } from '../../../src/features/check-ins/service/attempt-log.ts';
import { endOverdueVisits } from '../../../src/features/check-ins/service/check-out.ts';
import {
  checkOutByGraphql,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
  todayInBerlin,
} from '../../support/factories/check-ins.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let scan: Scanner;
let staff: Scanner;
let token: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
  token = await app.token('check-ins:read', 'check-ins:write');
  staff = createGraphqlScanner(app, { token });
  scan = createGraphqlScanner(app);
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const advanceClock = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};
const DAY = 24 * 60;

describe('a visit', () => {
  it('ends automatically at closing time and is marked so', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember();
    const { checkIn } = await scan({ locationId: location.id, code });
    const closing = todayInBerlin('18:00', '18:00').endsAt;
    app.clock.now = new Date(closing.getTime() - 1);
    await endOverdueVisits(app.ctx);
    expect(await make.countPresent(location.id)).toBe(1);
    app.clock.now = new Date(closing.getTime() + 30_000);
    expect(await endOverdueVisits(app.ctx)).toBeGreaterThanOrEqual(1);
    expect(await endOverdueVisits(app.ctx)).toBe(0);
    expect(await make.countPresent(location.id)).toBe(0);
    expect(await make.listAttempts(location.id)).toMatchObject([
      { id: checkIn.id, checkedOutAt: closing, autoCheckedOut: true },
    ]);
  });

  it('is not counted after its end, even before the job records it', async () => {
    const { location } = await make.makeSpace();
    await make.setCapacity(location.id, 1);
    await scan({ locationId: location.id, code: (await make.makeMember()).code });
    advanceClock(DAY);
    expect(await getOccupancy(location.id)).toMatchObject([{ present: 0, capacity: 1 }]);
    const { checkIn } = await scan({
      locationId: location.id,
      code: (await make.makeMember()).code,
    });
    expect(checkIn.result).toBe('admitted');
    expect(await getOccupancy(location.id)).toMatchObject([{ present: 1 }]);
    expect(await make.countPresent(location.id)).toBe(1);
  });

  it('of a booking lasts at least until the end of the booking', async () => {
    const { room } = await make.makeSpace();
    const booking = await make.makeBooking(room, {}, ['10:30', '20:00']);
    await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(await make.listAttempts(room.locationId)).toMatchObject([
      { autoCheckOutAt: booking.endsAt },
    ]);
  });

  it('of a ticket lasts until the end of its event, also after the event moves', async () => {
    const ticket = await make.makeTicket(); // until 13:00
    const { code, locationId, eventId } = ticket;
    await scan({ locationId, code });
    const events = { token: await app.token('events:read', 'events:write') };
    const move = async (endsAt: Date) => {
      const { errors } = await app.graphql(
        `mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { id } } }`,
        { input: { id: eventId, endsAt } },
        events,
      );
      expect(errors).toEqual([]);
    };
    await move(todayInBerlin('14:00', '14:00').endsAt);
    app.clock.now = todayInBerlin('13:30', '13:30').endsAt;
    await endOverdueVisits(app.ctx);
    expect(await make.countPresent(locationId)).toBe(1);
    await move(todayInBerlin('13:45', '13:45').endsAt);
    app.clock.now = todayInBerlin('13:50', '13:50').endsAt;
    await endOverdueVisits(app.ctx);
    const ended = { checkedOutAt: todayInBerlin('13:45', '13:45').endsAt, autoCheckedOut: true };
    expect(await make.listAttempts(locationId)).toMatchObject([ended]);
  });

  it('that ended automatically does not use up the ticket of an extended event', async () => {
    const { code, locationId, eventId } = await make.makeTicket();
    await scan({ locationId, code });
    app.clock.now = todayInBerlin('13:10', '13:10').endsAt;
    await endOverdueVisits(app.ctx);
    expect((await scan({ locationId, code })).checkIn.result).toBe('expired');
    const { endsAt } = todayInBerlin('15:00', '15:00');
    await app.ctx.db.event.update({ where: { id: eventId }, data: { endsAt } });
    // A late scan from before the admission does not change it.
    const occurredAt = todayInBerlin('10:29', '10:29').endsAt.toISOString();
    expect((await scan({ locationId, code, occurredAt })).checkIn.result).toBe('checked_out');
    const { checkIn } = await scan({ locationId, code });
    expect(checkIn.result).toBe('admitted');
    const rows = await make.listAttempts(locationId);
    expect(rows.map(({ result, entry }) => [result, entry])).toEqual([
      ...[
        ['admitted', 0],
        ['expired', 0],
        ['checked_out', 0],
        ['admitted', 1],
      ],
    ]);
    await checkOutByGraphql(app, checkIn.checkOutToken as string);
    expect((await scan({ locationId, code })).checkIn.result).toBe('checked_out');
  });

  it('of a member ends when they check in elsewhere', async () => {
    const [here, there] = [(await make.makeSpace()).location, (await make.makeSpace()).location];
    const { code } = await make.makeMember();
    await scan({ locationId: here.id, code });
    advanceClock(20);
    expect((await scan({ locationId: there.id, code })).checkIn.result).toBe('admitted');
    expect([await make.countPresent(here.id), await make.countPresent(there.id)]).toEqual([0, 1]);
    expect(await make.listAttempts(here.id)).toMatchObject([
      { checkedOutAt: app.clock.now, autoCheckedOut: false },
    ]);
  });

  it('continues if the other location is full', async () => {
    const [here, there] = [(await make.makeSpace()).location, (await make.makeSpace()).location];
    const { code } = await make.makeMember();
    await make.setCapacity(there.id, 1);
    await scan({ locationId: there.id, code: (await make.makeMember()).code });
    await scan({ locationId: here.id, code });
    expect((await scan({ locationId: there.id, code })).checkIn.result).toBe('capacity_full');
    expect([await make.countPresent(here.id), await make.countPresent(there.id)]).toEqual([1, 1]);
  });

  it("keeps the member's booking, which is released as a no-show without a visit", async () => {
    const { room, addRoom } = await make.makeSpace();
    await app.ctx.db.resource.update({ where: { id: room.id }, data: { noShowMinutes: 15 } });
    const other = await addRoom({ noShowMinutes: 15 });
    const [ben, ida] = [await make.makeMember(), await make.makeMember()];
    const createdAt = new Date(NOW.getTime() - DAY * 60_000);
    const more = { createdAt, updatedAt: createdAt };
    const ownBooking = await make.makeBooking(room, { memberId: ben.id, ...more }, [
      '12:00',
      '13:00',
    ]);
    const otherBooking = await make.makeBooking(other, { memberId: ida.id, ...more }, [
      '12:00',
      '13:00',
    ]);
    const { checkIn } = await scan({ locationId: room.locationId, code: ben.code }); // an hour and a half before
    advanceClock(110); // 12:20
    await releaseNoShows(app.ctx);
    expect(await getStatus(ownBooking.id)).toBe('confirmed');
    expect(await getStatus(otherBooking.id)).toBe('no_show');
    await checkOutByGraphql(app, checkIn.checkOutToken as string);
    await releaseNoShows(app.ctx);
    expect(await getStatus(ownBooking.id)).toBe('no_show');
  });
});

describe('the occupancy', () => {
  it('is consistent after any sequence of check-ins and check-outs', async () => {
    const locationIds = [await make.makeSpace(), await make.makeSpace()].map(
      ({ location }) => location.id,
    );
    for (const id of locationIds) await make.setCapacity(id, 3);
    const people: string[] = [];
    for (let n = 0; n < 5; n += 1) people.push((await make.makeMember()).code);
    const start = NOW.getTime();
    const step = fc.record({
      house: fc.nat(1),
      who: fc.nat(4),
      leaving: fc.boolean(),
      minutes: fc.constantFrom(0, 1, 30, 600),
      late: fc.constantFrom(0, 0, 5, 700),
      ends: fc.boolean(),
    });
    await checkProperty(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await app.ctx.db.checkIn.deleteMany({ where: { locationId: { in: locationIds } } });
        app.clock.now = new Date(start);
        for (const { house: index, who: person, leaving, minutes, late, ends } of steps) {
          app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
          const occurredAt = new Date(app.clock.now.getTime() - late * 60_000).toISOString();
          const { error } = await staff({
            ...{
              locationId: locationIds[index] as string,
              code: people[person] as string,
              leaving,
            },
            occurredAt,
          });
          expect(error).toBeNull();
          if (ends) await endOverdueVisits(app.ctx);
          for (const id of locationIds) await expectAgreement(id);
        }
      }),
      { numRuns: propertyRuns(6) },
    );
  });
});

describe('the list of attempts', () => {
  const LIST = `query ($filter: AttemptFilter, $first: Int, $after: String) {
    checkIns(filter: $filter, first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id result label subject { type title } location { id name } at recordedAt checkedOutAt autoCheckOutAt autoCheckedOut actor } } } }`;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  const list = async (filter: object, more: object = {}): Promise<any> =>
    (await app.graphql(LIST, { filter, ...more }, { token })).data.checkIns;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  const nodes = async (filter: object): Promise<any[]> =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
    (await list(filter)).edges.map(({ node }: any) => node);

  it('is paginated, newest first, and can be filtered by staff', async () => {
    const { location } = await make.makeSpace();
    const { code } = await make.makeMember({ name: 'Ben Okafor' });
    const at = { locationId: location.id };
    await scan({ ...at, code });
    advanceClock(1);
    await scan({ ...at, code: 'NOBODY' });
    advanceClock(2);
    await staff({ ...at, code });
    const all = await nodes(at);
    expect(all.map(({ result }) => result)).toEqual(['ALREADY_IN', 'NOT_FOUND', 'ADMITTED']);
    expect(all[2]).toMatchObject({
      ...{ label: 'Ben Okafor', subject: { type: 'MEMBER', title: null }, actor: 'anonymous' },
      ...{ location: { id: location.id, name: 'House' }, autoCheckedOut: false },
      ...{
        at: NOW.toISOString(),
        autoCheckOutAt: todayInBerlin('18:00', '18:00').endsAt.toISOString(),
      },
    });
    expect(all[0].actor).toMatch(/^token:/);
    expect(await nodes({ ...at, present: true })).toEqual([all[2]]);
    expect(await nodes({ ...at, present: false })).toEqual([all[0], all[1]]);
    expect(await nodes({ ...at, result: 'NOT_FOUND' })).toEqual([all[1]]);
    const minute = new Date(NOW.getTime() + 60_000).toISOString();
    expect(await nodes({ ...at, from: minute })).toEqual([all[0], all[1]]);
    expect(await nodes({ ...at, to: minute })).toEqual([all[2]]);
    const first = await list(at, { first: 2 });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await list(at, { first: 2, after: first.pageInfo.endCursor });
    expect(rest.edges.map(({ node }: { node: unknown }) => node)).toEqual([all[2]]);
  });

  it('purges rejected attempts after thirty days but keeps visits', async () => {
    const { location } = await make.makeSpace();
    const at = { locationId: location.id };
    const { code } = await make.makeMember();
    const ticket = await make.makeTicket({}, at);
    await scan({ ...at, code: (await make.makeMember({ status: 'paused' })).code });
    await scan({ ...at, code: 'NOBODY' });
    await scan({ ...at, code });
    await scan({ ...at, code });
    await scan({ ...at, code: ticket.code });
    advanceClock(1);
    await scan({ ...at, code, leaving: true });
    await scan({ ...at, code: ticket.code, leaving: true });
    advanceClock(2);
    expect((await scan({ ...at, code: ticket.code })).checkIn.result).toBe('checked_out');
    advanceClock(30 * DAY);
    expect(await purgeRejectedAttempts(app.ctx)).toBe(0);
    advanceClock(30 * DAY + 3);
    expect(await purgeRejectedAttempts(app.ctx)).toBeGreaterThanOrEqual(4);
    const left = await make.listAttempts(location.id);
    expect(left.map(({ result }) => result)).toEqual([
      ...['admitted', 'admitted', 'checked_out', 'checked_out'],
    ]);
  });
});

describe('a kiosk', () => {
  it('is found by the slug or ID of its location and returns only public fields', async () => {
    const { location } = await make.makeSpace();
    const send = '{ locationId name timeZone lookupNames lookupAccess }';
    const kiosk = {
      ...{ locationId: location.id, name: 'House', timeZone: 'Europe/Berlin', lookupNames: true },
      lookupAccess: 'PUBLIC',
    };
    for (const name of [location.slug, location.id]) {
      const { data } = await app.graphql(`query ($l: String!) { kiosk(location: $l) ${send} }`, {
        l: name,
      });
      expect(data.kiosk).toEqual(kiosk);
    }
    expect((await app.graphql('{ kiosk(location: "none") { name } }')).codes).toEqual([
      'NOT_FOUND',
    ]);
    const { data } = await app.graphql(`{ kiosks ${send} }`);
    expect(data.kiosks).toContainEqual(kiosk);
  });
});

const getStatus = async (id: string) =>
  (await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).status;

const getOccupancy = async (locationId: string) =>
  (
    await app.graphql(
      'query ($id: ID) { occupancy(locationId: $id) { locationName present capacity } }',
      { id: locationId },
      { token },
    )
  ).data.occupancy;

/** Expects the counter, the list and the query to agree, and the capacity to hold. */
async function expectAgreement(locationId: string) {
  const rows = await make.listAttempts(locationId);
  const open = rows.filter(
    ({ result, checkedOutAt }) => result === 'admitted' && checkedOutAt === null,
  );
  expect(await make.countPresent(locationId)).toBe(open.length);
  const lasting = open.filter(({ autoCheckOutAt }) => (autoCheckOutAt as Date) > app.clock.now);
  expect(await getOccupancy(locationId)).toMatchObject([{ present: lasting.length }]);
  expect(open.length).toBeLessThanOrEqual(3);
  for (const { occurredAt, autoCheckOutAt, checkedOutAt } of rows) {
    if (autoCheckOutAt) expect(autoCheckOutAt.getTime()).toBeGreaterThan(occurredAt.getTime());
    if (checkedOutAt) expect(checkedOutAt.getTime()).toBeGreaterThanOrEqual(occurredAt.getTime());
  }
}

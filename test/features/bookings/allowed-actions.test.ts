import { MINUTE_MS } from '../../../src/core/time/time-zone.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let viewers: Record<string, Credential>;
let memberId: string;
let locationId: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  const { location } = await makeSpace(app);
  locationId = location.id;
  await app.ctx.db.openingHours.deleteMany({ where: { locationId } });
  const member = await makeMember(app);
  memberId = member.id;
  viewers = {
    member: await member.signedIn(),
    staff: await signInFrontDesk(app),
    reader: { token: await app.token('bookings:read') },
    writer: { token: await app.token('bookings:read', 'bookings:write') },
    checker: { token: await app.token('bookings:read', 'check-ins:write') },
  };
});
afterAll(() => app.stop());

const START = Date.parse('2026-03-20T10:00:00Z');
const HOUR_MS = 60 * MINUTE_MS;
const [END, DEADLINE] = [START + 2 * HOUR_MS, START - 24 * HOUR_MS];

const STATES: Record<string, Partial<Prisma.BookingUncheckedCreateInput>> = {
  pending: { status: 'pending' },
  confirmed: { status: 'confirmed' },
  'checked in': { status: 'confirmed', checkedInAt: new Date(START) },
  cancelled: { status: 'cancelled', cancelledAt: new Date(DEADLINE), cancelFee: 0 },
  'no-show': { status: 'no_show' },
};
const TIMES: Record<string, number> = {
  'at the deadline': DEADLINE,
  'after the deadline': DEADLINE + 1,
  'too early to check in': START - HOUR_MS - 1,
  'early enough to check in': START - HOUR_MS,
  'before the end': END - 1,
  'at the end': END,
};

const ACTIONS_QUERY = `query ($id: ID!) { booking(id: $id) {
  allowedActions { confirm checkIn update reschedule cancel freeCancellationUntil } } }`;

const MUTATIONS = {
  confirm: 'confirmBooking(input: { id: $id })',
  checkIn: 'checkInBooking(input: { id: $id })',
  update: 'updateBooking(input: { id: $id, title: "New" })',
  reschedule:
    'rescheduleBooking(input: { id: $id, startsAt: "2026-03-27T10:00:00Z", endsAt: "2026-03-27T12:00:00Z" })',
  cancel: 'cancelBooking(input: { id: $id })',
};

async function makeBooking(state: Partial<Prisma.BookingUncheckedCreateInput>): Promise<string> {
  const { db } = app.ctx;
  const slug = `room-${Math.random()}`.replace('.', '-');
  const rules = { freeCancellationHours: 24, type: 'room' } as const;
  const room = await db.resource.create({ data: { ...rules, locationId, slug, name: slug } });
  const times = { startsAt: new Date(START), endsAt: new Date(END), occupiedUntil: new Date(END) };
  const holder = { resourceId: room.id, locationId, memberId };
  return (await db.booking.create({ data: { ...holder, ...times, ...state } })).id;
}

const VIEWERS = ['member', 'staff', 'reader', 'writer', 'checker'];
const comparesAll = process.env.PROPERTY_RUNS !== undefined;

/**
 * Lists who sees a booking of a state at a time: everybody a confirmed one, on which most depends on the time, and one viewer after
 * the other the others. `npm run test:nightly` compares all.
 */
function listViewers(state: string, time: string): string[] {
  if (comparesAll || state === 'confirmed') return VIEWERS;
  const [states, times] = [Object.keys(STATES), Object.keys(TIMES)];
  const turn = states.indexOf(state) * times.length + times.indexOf(time);
  return VIEWERS.slice(turn % VIEWERS.length).slice(0, 1);
}

describe.each(Object.entries(STATES))('the actions on a booking that is %s', (name, state) => {
  it.each(Object.entries(TIMES))('are those that succeed %s', async (time, now) => {
    app.clock.now = new Date(now);
    expect.hasAssertions();
    for (const viewer of listViewers(name, time)) {
      const as = viewers[viewer] ?? {};
      const succeeds: Record<string, boolean> = {};
      let actions: Record<string, unknown> = {};
      let id: string | undefined;
      for (const [action, mutation] of Object.entries(MUTATIONS)) {
        if (id === undefined) {
          id = await makeBooking(state);
          const { data } = await app.graphql(ACTIONS_QUERY, { id }, as);
          actions = data.booking.allowedActions;
        }
        const text = `mutation ($id: ID!) { ${mutation} { __typename } }`;
        const { errors } = await app.graphql(text, { id }, as);
        succeeds[action] = errors.length === 0;
        // A booking that nothing has changed is used again.
        if (succeeds[action]) id = undefined;
      }
      // A repeated check-in succeeds and changes nothing, so there is no button for it.
      if (name === 'checked in') succeeds.checkIn = false;
      const { freeCancellationUntil, ...allowed } = actions;
      expect([viewer, allowed]).toEqual([viewer, succeeds]);
      const isCharged = succeeds.cancel && name !== 'pending';
      expect(freeCancellationUntil).toBe(isCharged ? new Date(DEADLINE).toISOString() : null);
    }
  });
});

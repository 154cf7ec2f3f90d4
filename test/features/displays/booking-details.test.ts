import { v7 } from 'uuid';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

// What displays show of bookings, as each location chooses.

let app: TestApp;
let writer: { token: string };

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  writer = { token: await app.token('spaces:read', 'spaces:write') };
});
afterAll(() => app.stop());

interface Entry {
  title: string | null;
  host?: string | null;
}
interface State {
  version: string;
  content: { now: Entry | null; next: Entry | null };
  bookings: Entry[];
}

const DETAILS = 'memberBookingsOnDisplays guestBookingsOnDisplays';

/** A location with one room, its panel and a welcome screen. A member has the room now, a guest an hour later. */
async function createStage(input: object = {}) {
  const { db } = app.ctx;
  const { data } = await app.graphql(
    `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }`,
    { input: { name: 'House', slug: `house-${v7()}`, timeZone: 'Europe/Berlin', ...input } },
    writer,
  );
  const locationId = data.createLocation.location.id as string;
  const room = { locationId, slug: v7(), name: 'Room', type: 'room' as const };
  const { id: resourceId } = await db.resource.create({ data: room });
  const member = { name: 'Ben Okafor', email: `${v7()}@example.org`, code: v7() };
  const { id: memberId } = await db.member.create({ data: member });
  const add = (minutes: number, columns: object) => {
    const startsAt = new Date(NOW.getTime() + minutes * 60_000);
    const endsAt = new Date(startsAt.getTime() + 60 * 60_000);
    const when = { startsAt, endsAt, occupiedUntil: endsAt };
    return db.booking.create({ data: { resourceId, locationId, ...when, ...columns } });
  };
  await add(-30, { memberId, title: 'Therapy' });
  await add(30, { guestName: 'Grace Hopper', title: 'Board meeting' });
  const panel = await app.display({ name: 'Door', kind: 'room_panel', locationId, resourceId });
  const welcome = await app.display({ name: 'Entrance', kind: 'welcome', locationId });
  return { locationId, panel: panel.deviceToken, welcome: welcome.deviceToken };
}

const poll = async (token: string) =>
  (await app.rest(`/displays/state/${token}`)).body.data as unknown as State;

const choose = async (id: string, input: object) => {
  const { data } = await app.graphql(
    `mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { ${DETAILS} } } }`,
    { input: { id, ...input } },
    writer,
  );
  return data.updateLocation.location;
};

const toDetails = ({ bookings }: State) => bookings.map(({ title, host }) => [title, host]);

describe('a new location', () => {
  it('expects nobody on the welcome screen who is in', async () => {
    const { db } = app.ctx;
    const { locationId, panel, welcome } = await createStage({ memberBookingsOnDisplays: 'TITLE' });
    const titles = async (token: string) => (await poll(token)).bookings.map(({ title }) => title);
    expect(await titles(welcome)).toEqual(['Therapy', 'Board meeting']);
    const [own, guests] = await db.booking.findMany({
      where: { locationId },
      orderBy: { startsAt: 'asc' },
    });
    const visit = await db.checkIn.create({
      data: {
        ...{ locationId, memberId: own?.memberId ?? '', result: 'admitted', subject: 'member' },
        ...{ actor: 'system', occurredAt: NOW, createdAt: NOW, label: 'Ben Okafor' },
        autoCheckOutAt: new Date(NOW.getTime() + 8 * 3_600_000),
      },
    });
    expect(await titles(welcome)).toEqual(['Board meeting']);
    await db.checkIn.update({ where: { id: visit.id }, data: { checkedOutAt: NOW } });
    expect(await titles(welcome)).toEqual(['Therapy', 'Board meeting']);
    await db.booking.update({ where: { id: guests?.id ?? '' }, data: { checkedInAt: NOW } });
    expect(await titles(welcome)).toEqual(['Therapy']);
    expect(await titles(panel)).toEqual(['Therapy', 'Board meeting']);
  });

  it('shows neither the title nor the name of a booking by a member', async () => {
    const { panel, welcome } = await createStage();
    for (const token of [panel, welcome]) {
      const state = await poll(token);
      expect(toDetails(state)[0]).toEqual([null, null]);
      expect(JSON.stringify(state)).not.toMatch(/Therapy|Ben|Okafor/);
    }
    expect((await poll(panel)).content.now).toMatchObject({ title: null });
  });

  it('shows the title and the short name of a booking that staff made for a guest', async () => {
    const { panel, welcome } = await createStage();
    for (const token of [panel, welcome])
      expect(toDetails(await poll(token))[1]).toEqual(['Board meeting', 'Grace H.']);
    expect((await poll(panel)).content.next).toMatchObject({ title: 'Board meeting' });
  });
});

describe('a location', () => {
  it.each([
    ['NOTHING', [null, null], [null, null]],
    ['INITIALS', [null, 'B. O.'], [null, 'G. H.']],
    ['NAME', [null, 'Ben O.'], [null, 'Grace H.']],
    ['TITLE', ['Therapy', 'Ben O.'], ['Board meeting', 'Grace H.']],
  ])('can show %s of bookings', async (detail, ofMember, ofGuest) => {
    const { panel, welcome } = await createStage({
      memberBookingsOnDisplays: detail,
      guestBookingsOnDisplays: detail,
    });
    for (const token of [panel, welcome])
      expect(toDetails(await poll(token))).toEqual([ofMember, ofGuest]);
    const { now, next } = (await poll(panel)).content;
    expect([now?.title, next?.title]).toEqual([ofMember[0], ofGuest[0]]);
  });

  it('changes what its displays show at their next poll', async () => {
    const { locationId, panel, welcome } = await createStage();
    for (const token of [panel, welcome]) {
      await choose(locationId, { memberBookingsOnDisplays: 'TITLE' });
      const shown = await poll(token);
      expect(toDetails(shown)[0]).toEqual(['Therapy', 'Ben O.']);
      expect(await choose(locationId, { memberBookingsOnDisplays: 'NOTHING' })).toEqual({
        memberBookingsOnDisplays: 'NOTHING',
        guestBookingsOnDisplays: 'TITLE',
      });
      const { state_version } = (await app.rest(`/displays/heartbeat/${token}`)).body
        .data as unknown as { state_version: string };
      expect(state_version).not.toBe(shown.version);
      const headers = { 'if-none-match': `"${shown.version}"` };
      const changed = await app.rest(`/displays/state/${token}`, {}, { headers });
      expect(changed.status).toBe(200);
      expect(toDetails(changed.body.data as unknown as State)[0]).toEqual([null, null]);
      await choose(locationId, { guestBookingsOnDisplays: 'INITIALS' });
      expect(toDetails(await poll(token))[1]).toEqual([null, 'G. H.']);
      await choose(locationId, { guestBookingsOnDisplays: 'TITLE' });
    }
  });
});

import ICAL from 'ical.js';
import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { createSecret, isWellFormedSecret } from '../../../src/auth/tokens.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';
import { getFeedContents } from '../../../src/features/calendar-feeds/ical-feed.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { type Credential, expectErrorEnvelope } from '../../support/clients/api.ts';
import { NOW, PASSWORD } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let ben: Credential;
let benId: string;
let atelier: { id: string; locationId: string };
const logged: string[] = [];

beforeAll(async () => {
  app = await startApp({ logTo: (line) => logged.push(line) });
  desk = { cookie: await app.signIn(STAFF.front_desk) };
  const { id, name, email } = await app.ctx.db.member.findUniqueOrThrow({
    where: { email: 'ben@example.org' },
  });
  benId = id;
  const passwordHash = await hashPassword(PASSWORD);
  await app.ctx.db.user.create({ data: { name, email, memberId: id, passwordHash } });
  ben = { cookie: await app.signIn(email) };
  atelier = await app.ctx.db.resource.findUniqueOrThrow({ where: { slug: 'atelier' } });
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const FEED = 'id prefix createdAt revokedAt resource { id name } member { id name }';

async function create(input: object, as = desk) {
  const { data, errors } = await app.graphql(
    `mutation ($input: CreateCalendarFeedInput!) {
      createCalendarFeed(input: $input) { url calendarFeed { ${FEED} } } }`,
    { input },
    as,
  );
  const created = data?.createCalendarFeed;
  return {
    path: created?.url.replace('http://foyer.test', ''),
    ...created,
    feed: created?.calendarFeed,
    error: errors[0],
  };
}
const revoke = async (id: string, as = desk) => {
  const text = `mutation ($id: ID!) { revokeCalendarFeed(input: { id: $id }) { calendarFeed { ${FEED} } } }`;
  const { data, errors } = await app.graphql(text, { id }, as);
  return { feed: data?.revokeCalendarFeed.calendarFeed, error: errors[0]?.extensions };
};
const listed = async (filter: object, as = desk): Promise<{ id: string }[]> => {
  const text = `query ($filter: CalendarFeedFilter) {
    calendarFeeds(first: 100, filter: $filter) { edges { node { ${FEED} } } } }`;
  const { data } = await app.graphql(text, { filter }, as);
  return data.calendarFeeds.edges.map(({ node }: { node: { id: string } }) => node);
};

async function read(path: string, init: RequestInit = {}) {
  const response = await fetch(app.url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}
async function calendar(path: string) {
  const { status, text } = await read(path);
  expect(status).toBe(200);
  const root = new ICAL.Component(ICAL.parse(text));
  const events = root.getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    summary: event.getFirstPropertyValue('summary'),
    description: event.getFirstPropertyValue('description'),
    location: event.getFirstPropertyValue('location'),
    status: event.getFirstPropertyValue('status'),
    start: event.getFirstPropertyValue('dtstart')?.toString(),
    end: event.getFirstPropertyValue('dtend')?.toString(),
  }));
  return { root, text, events };
}

const days = (nth: number) => new Date(NOW.getTime() + nth * 24 * 3_600_000);
const book = (startsAt: Date, more: object = {}) => {
  const endsAt = new Date(startsAt.getTime() + 3_600_000);
  return app.ctx.db.booking.create({
    data: {
      resourceId: atelier.id,
      locationId: atelier.locationId,
      memberId: benId,
      startsAt,
      endsAt,
      occupiedUntil: endsAt,
      ...more,
    },
  });
};

describe('a new calendar feed', () => {
  it('returns its secret URL once and stores only the hash', async () => {
    const { url, feed } = await create({ resourceId: atelier.id });
    const secret = /^http:\/\/foyer\.test\/calendars\/(foyerc_\w+)\.ics$/.exec(url)?.[1] ?? '';
    expect(isWellFormedSecret('calendarFeed', secret)).toBe(true);
    expect(feed).toEqual({
      id: feed.id,
      prefix: secret.slice(0, 13),
      createdAt: NOW.toISOString(),
      revokedAt: null,
      resource: { id: atelier.id, name: 'Atelier' },
      member: null,
    });
    const row = await app.ctx.db.calendarFeed.findUniqueOrThrow({ where: { id: feed.id } });
    expect(row.hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(secret.slice(13));
    expect(await listed({ resourceId: atelier.id })).toContainEqual(feed);
  });

  it('requires an existing resource or member', async () => {
    for (const input of [{}, { resourceId: atelier.id, memberId: benId }, { memberId: 'x' }])
      expect((await create(input)).error?.extensions).toMatchObject({ code: 'VALIDATION' });
    for (const input of [{ resourceId: v7() }, { memberId: v7() }])
      expect((await create(input)).error?.extensions).toEqual({
        code: 'NOT_FOUND',
        reason: 'NOT_FOUND',
      });
  });

  it('is limited to their own bookings for members', async () => {
    const other = await app.ctx.db.member.findFirstOrThrow({
      where: { id: { not: benId }, status: 'active' },
    });
    const { feed } = await create({ memberId: benId }, ben);
    expect(feed.member).toEqual({ id: benId, name: 'Ben Okafor' });
    const rejected = [
      await create({ memberId: other.id }, ben),
      await create({ memberId: v7() }, ben),
    ];
    expect(rejected.map(({ error }) => error)).toEqual([
      expect.objectContaining({
        message: 'No such member.',
        extensions: { code: 'NOT_FOUND', reason: 'NOT_FOUND' },
      }),
      expect.objectContaining({
        message: 'No such member.',
        extensions: { code: 'NOT_FOUND', reason: 'NOT_FOUND' },
      }),
    ]);
    const room = await create({ resourceId: atelier.id }, ben);
    expect(room.error).toMatchObject({
      message: 'Members can only subscribe to their own calendar.',
      extensions: { code: 'FORBIDDEN', reason: 'OWN_CALENDAR_ONLY' },
    });

    const foreign = await create({ memberId: other.id });
    expect((await listed({}, ben)).map(({ id }) => id)).toEqual([feed.id]);
    expect(await listed({ memberId: other.id }, ben)).toEqual([]);
    expect((await revoke(foreign.feed.id, ben)).error).toEqual({
      code: 'NOT_FOUND',
      reason: 'NOT_FOUND',
    });
    expect((await read(foreign.path)).status).toBe(200);
    expect((await revoke(feed.id, ben)).feed.revokedAt).toBe(NOW.toISOString());
  });
});

describe('the calendar of a resource', () => {
  it('contains live bookings from 90 days ago to 400 days ahead', async () => {
    await book(days(-90.5), { title: 'Too old' });
    await book(days(399), { title: 'Far ahead' });
    await book(days(401), { title: 'Too far ahead' });
    const { path } = await create({ resourceId: atelier.id });
    const { events } = await calendar(path);
    const rows = await app.ctx.db.booking.findMany({
      where: {
        resourceId: atelier.id,
        status: { in: ['pending', 'confirmed'] },
        endsAt: { gt: days(-90) },
        startsAt: { lt: days(400) },
      },
    });
    expect(events.map(({ uid }) => uid).sort()).toEqual(
      rows.map(({ id }) => `${id}@foyer.test`).sort(),
    );
    const titles = events.map(({ summary }) => summary);
    expect(titles).toContain('Far ahead');
    expect(titles).not.toContain('Too old');
    expect(titles).not.toContain('Too far ahead');
  });

  it('contains time, location, title and holder in UTC', async () => {
    const booking = await app.ctx.db.booking.findFirstOrThrow({
      where: { title: 'Mixing', startsAt: new Date('2026-03-17T08:30:00Z') },
    });
    const { address } = await app.ctx.db.location.findUniqueOrThrow({
      where: { id: atelier.locationId },
    });
    const { path } = await create({ resourceId: atelier.id });
    const { root, events, text } = await calendar(path);
    expect(events.find(({ uid }) => uid.startsWith(booking.id))).toEqual({
      uid: `${booking.id}@foyer.test`,
      summary: 'Mixing',
      description: 'Ben Okafor',
      location: ['Atelier', 'Foyer Kreuzberg', address].filter(Boolean).join(', '),
      status: 'CONFIRMED',
      start: '2026-03-17T08:30:00Z',
      end: '2026-03-17T10:00:00Z',
    });
    const written = (instant: Date) => `${instant.toISOString().replace(/[-:]|\.\d+/g, '')}`;
    expect(text).toContain(`\r\nLAST-MODIFIED:${written(booking.updatedAt)}\r\n`);
    const head = (name: string) => root.getFirstPropertyValue(name)?.toString();
    expect(head('x-wr-calname')).toBe('Atelier');
    expect(head('x-wr-timezone')).toBe('Europe/Berlin');
    expect(head('refresh-interval')).toBe('PT1H');
    expect(head('method')).toBeUndefined();
  });

  it('counts each change up, as emails do', async () => {
    const changed = { createdAt: days(0), updatedAt: new Date(days(0).getTime() + 90_500) };
    const { id } = await book(days(306), changed);
    const { path } = await create({ resourceId: atelier.id });
    const sequence = async () => {
      const [, entry = ''] = (await calendar(path)).text.split(`UID:${id}@foyer.test\r\n`);
      return /^SEQUENCE:(\d+)/m.exec(entry)?.[1];
    };
    expect(await sequence()).toBe('90');
    await app.ctx.db.bookingInvitation.create({ data: { bookingId: id, sequence: 91 } });
    expect(await sequence()).toBe('91');
  });

  it.each([
    ['a day of 25 hours', '2026-10-24T22:00Z', '2026-10-25T23:00Z', ['20261025', '20261026']],
    ['two days', '2026-10-26T23:00Z', '2026-10-28T23:00Z', ['20261027', '20261029']],
    ['24 hours', '2026-10-29T09:00Z', '2026-10-30T09:00Z', null],
    ['half a day', '2026-10-30T23:00Z', '2026-10-31T11:00Z', null],
  ])('writes whole days as dates: %s', async (title, from, until, dates) => {
    const endsAt = new Date(until);
    await book(new Date(from), { title, endsAt, occupiedUntil: endsAt });
    const { path } = await create({ resourceId: atelier.id });
    const { events, text } = await calendar(path);
    if (dates)
      expect(text).toContain(`DTSTART;VALUE=DATE:${dates[0]}\r\nDTEND;VALUE=DATE:${dates[1]}\r\n`);
    else
      expect(events.find(({ summary }) => summary === title)).toMatchObject({
        start: from.replace('Z', ':00Z'),
        end: until.replace('Z', ':00Z'),
      });
  });

  it('marks pending bookings as tentative and names untitled ones in the language of the space', async () => {
    const { id } = await book(days(300), { status: 'pending' });
    const { path } = await create({ resourceId: atelier.id });
    const find = async () => (await calendar(path)).events.find(({ uid }) => uid.startsWith(id));
    expect(await find()).toMatchObject({ status: 'TENTATIVE', summary: 'Booking' });
    await updateSettings(app.ctx, { language: 'fr' });
    expect(await find()).toMatchObject({ summary: 'Réservation' });
    await updateSettings(app.ctx, { language: 'en' });
  });

  it('contains no other personal data than titles and names', async () => {
    await book(days(301), {
      memberId: null,
      guestName: 'Kim',
      guestEmail: 'kim@guest.example',
      notes: 'Knows about the merger',
    });
    const { path } = await create({ resourceId: atelier.id });
    const { text } = await calendar(path);
    expect(text).toContain('DESCRIPTION:Kim\r\n');
    for (const secret of ['kim@guest.example', 'ben@example.org', 'merger', benId])
      expect(text).not.toContain(secret);
  });

  it('stays valid with any text in titles and names', async () => {
    const title = `A, b; c\\d "e": ${'ü💩'.repeat(40)}`;
    await book(days(302), { title });
    await book(days(303), { title: 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\nUID:forged\u0007\u2028y' });
    const before = { name: 'Atelier' };
    const name = 'Atelier, A;B\\C\r\nMETHOD:CANCEL';
    await app.ctx.db.resource.update({ where: { id: atelier.id }, data: { name } });
    const { path } = await create({ resourceId: atelier.id });
    const { root, text, events } = await calendar(path);
    await app.ctx.db.resource.update({ where: { id: atelier.id }, data: before });
    expect(events.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([title, 'x END:VEVENT BEGIN:VEVENT UID:forged y']),
    );
    expect(text).toContain('\r\nNAME:Atelier\\, A\\;B\\\\C METHOD:CANCEL\r\n');
    expect(root.getFirstPropertyValue('method')).toBeNull();
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
    }
  });
});

describe('the calendar of a member', () => {
  it("contains their bookings with the resource's name", async () => {
    const { path } = await create({ memberId: benId });
    const { root, events } = await calendar(path);
    const rows = await app.ctx.db.booking.findMany({
      where: {
        memberId: benId,
        status: { in: ['pending', 'confirmed'] },
        endsAt: { gt: days(-90) },
        startsAt: { lt: days(400) },
      },
    });
    expect(events.map(({ uid }) => uid).sort()).toEqual(
      rows.map(({ id }) => `${id}@foyer.test`).sort(),
    );
    expect(events.map(({ summary }) => summary)).toContain('Mixing (Atelier)');
    expect(root.getFirstPropertyValue('x-wr-calname')).toBe('Ben Okafor');
  });

  it('returns 404 for a former member', async () => {
    const { path } = await create({ memberId: benId });
    await app.ctx.db.member.update({ where: { id: benId }, data: { status: 'former' } });
    const { status } = await read(path);
    const again = await create({ memberId: benId });
    await app.ctx.db.member.update({ where: { id: benId }, data: { status: 'active' } });
    expect([status, again.error?.extensions.code]).toEqual([404, 'NOT_FOUND']);
    expect((await read(path)).status).toBe(200);
  });
});

describe('a calendar URL', () => {
  it('returns a calendar, 304 while unchanged', async () => {
    const { path } = await create({ resourceId: atelier.id });
    const first = await read(path);
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const conditional = { headers: { 'if-none-match': etag } };
    app.clock.now = new Date(NOW.getTime() + 3_600_000);
    const same = await read(`${path}?nocache=1`, conditional);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    await book(days(310), { title: 'New' });
    const changed = await read(path, conditional);
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('SUMMARY:New\r\n');
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('supports HEAD', async () => {
    const { path } = await create({ resourceId: atelier.id });
    const [get, head] = [await read(path), await read(path, { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  it('returns the same 404 when unknown, malformed or revoked', async () => {
    const { path, feed } = await create({ resourceId: atelier.id });
    expect((await revoke(feed.id)).feed.revokedAt).toBe(NOW.toISOString());
    const { plainText: unknown } = createSecret('calendarFeed');
    const token = await app.token('*');
    const secrets = [unknown, 'nonsense', '%20', token];
    for (const it of [path, ...secrets.map((secret) => `/calendars/${secret}.ics`)])
      expectErrorEnvelope(await app.rest(it), 404, 'No such calendar.');
    expectErrorEnvelope(await app.rest(path.replace('.ics', '')), 404);
    app.clock.now = days(1);
    expect((await revoke(feed.id)).feed.revokedAt).toBe(NOW.toISOString());
    expect((await revoke(v7())).error).toEqual({ code: 'NOT_FOUND', reason: 'NOT_FOUND' });
  });

  it('takes two statements, or none when malformed', async () => {
    const { path } = await create({ resourceId: atelier.id });
    const statements: string[] = [];
    const sql: Sql = (statement, values) => {
      statements.push(statement.text);
      return app.ctx.pipelinedSql(statement, values);
    };
    const secret = path.slice('/calendars/'.length, -'.ics'.length);
    await getFeedContents({ ...app.ctx, pipelinedSql: sql }, secret);
    expect(statements).toHaveLength(2);
    await expect(getFeedContents({ ...app.ctx, pipelinedSql: sql }, `${secret}x`)).rejects.toThrow(
      'No such calendar.',
    );
    expect(statements).toHaveLength(2);
  });

  it('is never logged in any spelling', async () => {
    const { path } = await create({ resourceId: atelier.id });
    const secret = path.slice('/calendars/'.length, -'.ics'.length);
    logged.length = 0;
    await read(path);
    await read(`/calendars/%66${secret.slice(1)}.ics`);
    await read(
      `/calendars/${secret.slice(0, 9)}%${secret.charCodeAt(9).toString(16)}${secret.slice(10)}.ics`,
    );
    await read(`/calendars/${secret}`);
    expect(logged.filter((line) => line.includes('/calendars/'))).toHaveLength(4);
    expect(logged.join()).toContain('/calendars/foyerc_***.ics');
    expect(logged.join()).not.toContain(secret.slice(12));
  });
});

import { makeSpace } from '../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

const BASE_URL = 'https://house.example/foyer';
const LISTED = 'https://partner.example';
const PAGES = ['events', 'events/song-night', 'rooms', 'orders'];

let app: TestApp;
let locationId: string;
let as: { cookie: string };

beforeAll(async () => {
  app = await startApp({ config: { BASE_URL } });
  locationId = (await makeSpace(app)).location.id;
  as = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const update = (changes: object) =>
  app.graphql(
    `mutation ($input: UpdateLocationInput!) {
      updateLocation(input: $input) { location { embedOrigins publicAvailability } } }`,
    { input: { id: locationId, ...changes } },
    as,
  );
const open = (path: string, referer?: string) =>
  fetch(`${app.url}/foyer/${path}`, {
    headers: { accept: 'text/html', ...(referer === undefined ? {} : { referer }) },
  });
const readAncestors = ({ headers }: Response) =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];

describe('a widget', () => {
  it('opens on the websites that a location lists, and says so on others', async () => {
    for (const path of PAGES) {
      const before = await open(`embed/${path}`, `${LISTED}/`);
      expect([path, before.status]).toEqual([path, 403]);
    }
    await update({ embedOrigins: [LISTED, 'http://localhost:8080'] });
    for (const path of PAGES) {
      const listed = await open(`embed/${path}`, `${LISTED}/team`);
      expect([path, listed.status, readAncestors(listed)]).toEqual([path, 200, `${LISTED} 'self'`]);
      expect(await listed.text()).toContain('name="robots" content="noindex"');
      const unlisted = await open(`embed/${path}`, 'https://other.example/<script>');
      expect([path, unlisted.status, readAncestors(unlisted)]).toEqual([path, 403, '*']);
      const text = await unlisted.text();
      expect(text).toContain('https://other.example is not in the list');
      expect(text).not.toMatch(/<script|<form|<a /);
    }
    // Browsers check the list themselves if the website is not known.
    const unknown = [await open('embed/events'), await open('embed/events', `${BASE_URL}/embed/x`)];
    for (const response of unknown)
      expect(readAncestors(response)).toBe(`http://localhost:8080 ${LISTED} 'self'`);
  });

  it('stops opening on a website at once when it is removed from the list', async () => {
    await update({ embedOrigins: [LISTED] });
    expect((await open('embed/events', LISTED)).status).toBe(200);
    await update({ embedOrigins: [] });
    const response = await open('embed/events', LISTED);
    expect(response.status).toBe(403);
    expect(readAncestors(await open('embed/events'))).toBe("'self'");
  });

  it('is the only page that other websites can show', async () => {
    await update({ embedOrigins: [LISTED] });
    for (const path of [
      'events',
      'day-passes',
      'orders',
      'my',
      'admin',
      'graphiql',
      'embed/unknown',
    ])
      expect([path, readAncestors(await open(path, LISTED))]).toEqual([path, "'none'"]);
  });

  it('has a script that leaves no names in the page of a website', async () => {
    const response = await open('embed.js');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await response.text()).toMatch(/^\(\(\)=>\{[\s\S]*\}\)\(\);\s*$/);
  });
});

describe('the list of websites', () => {
  it.each([
    ['https://Example.org/', 'https://example.org'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://example.org:443', 'https://example.org'],
  ])('stores the origin: %s', async (text, origin) => {
    const { data } = await update({ embedOrigins: [text, origin] });
    expect(data?.updateLocation.location.embedOrigins).toEqual([origin]);
  });

  it.each([
    ...['*', 'example.org', 'https://example.org/path', 'https://*.example.org', "'self'"],
    ...['https://a.example; script-src *', 'https://a.example,b.example', 'javascript:alert(1)'],
    ...[
      'https://user@example.org',
      'https://example.org?x',
      'https://',
      'https://example.org:99999',
    ],
  ])('rejects what is no address of a website: %s', async (text) => {
    const { errors } = await update({ embedOrigins: [text] });
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION' });
    expect(errors[0]?.message).toContain('such as https://example.org');
  });
});

describe('public availability', () => {
  const read = async (variables: object) => {
    const query = `query ($location: String, $date: Date) {
      publicAvailability(location: $location, date: $date) {
        location timeZone date rooms { name free { startsAt endsAt } } } }`;
    const { data, errors } = await app.graphql(query, variables);
    return { found: data?.publicAvailability, code: errors[0]?.extensions?.code };
  };

  it('shows free times only of locations that allow it, and nothing about bookings', async () => {
    const { location, room } = await makeSpace(app);
    const day = { location: location.slug, date: '2026-03-19' };
    await app.ctx.db.booking.create({
      data: {
        resourceId: room.id,
        locationId: location.id,
        guestName: 'Secret Guest',
        guestEmail: 'secret@example.org',
        status: 'confirmed',
        startsAt: new Date('2026-03-19T10:00:00Z'),
        endsAt: new Date('2026-03-19T12:00:00Z'),
        occupiedUntil: new Date('2026-03-19T12:00:00Z'),
        priceAmount: 0,
        priceCurrency: 'EUR',
      },
    });
    expect((await read(day)).code).toBe('NOT_FOUND');
    await app.ctx.db.location.update({
      where: { id: location.id },
      data: { publicAvailability: true },
    });
    const { found } = await read(day);
    expect(found).toEqual({
      location: 'House',
      timeZone: 'Europe/Berlin',
      date: '2026-03-19',
      rooms: [
        {
          name: 'Room',
          free: [
            { startsAt: '2026-03-19T08:00:00.000Z', endsAt: '2026-03-19T10:00:00.000Z' },
            { startsAt: '2026-03-19T12:00:00.000Z', endsAt: '2026-03-19T17:00:00.000Z' },
          ],
        },
      ],
    });
    expect((await read({ location: location.slug })).found.date).toBe('2026-03-18');
    for (const date of ['2026-03-17', '2026-05-18'])
      expect((await read({ ...day, date })).code).toBe('BAD_REQUEST');
  });
});

it('spends the budget of anonymous callers on frames', async () => {
  const limited = await startApp({ content: 'empty', config: { ANONYMOUS_QUERY_BUDGET: '2000' } });
  const frames = Array.from({ length: 200 }, () => fetch(`${limited.url}/embed/events`));
  const statuses = (await Promise.all(frames)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await fetch(`${limited.url}/embed/events`)).status).toBe(429);
  await limited.stop();
});

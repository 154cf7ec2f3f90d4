import fc from 'fast-check';
import ICAL from 'ical.js';
import { updateSettings } from '../../src/features/settings/service.ts';
import { parsePage } from '../support/clients/html.ts';
import { makeEvent } from '../support/factories/events.ts';
import { NOW } from '../support/factories/seed.ts';
import { makeSpace } from '../support/factories/space.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const BASE_URL = 'https://house.example/foyer';
const HOUR_MS = 3_600_000;
const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> & "quoted" \u2028';

let app: TestApp;
let locationId: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { BASE_URL } });
  locationId = (await makeSpace(app)).location.id;
});
afterEach(async () => {
  await app.ctx.db.ticketType.deleteMany();
  await app.ctx.db.event.deleteMany();
});
afterAll(() => app.stop());

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/foyer/${path}`, {
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
const openPage = async (path: string) => {
  const response = await open(path);
  const html = await response.text();
  return { response, html, ...parsePage(html) };
};
const make = (event: Parameters<typeof makeEvent>[1] = {}) =>
  makeEvent(app, { locationId, ...event });

describe('the page of an event', () => {
  it('has its content, its head and a description for search engines', async () => {
    const types = [
      { name: 'Standard', priceAmount: 1_250, salesEndAt: new Date('2026-03-24T11:00:00Z') },
      { name: 'Friends', audience: 'members' as const, quantity: 1, reservedCount: 1 },
    ];
    const summary = 'Songs from the river';
    await make({ slug: 'song-night', title: 'Song night', summary, tags: ['music'], types });
    const page = await openPage('events/song-night?utm_source=letter');
    expect(page.response.status).toBe(200);
    expect(page.errors).toEqual([]);
    expect(page.title).toBe('Song night · Foyer');
    expect(page.links.canonical).toBe(`${BASE_URL}/events/song-night`);
    expect(page.meta).toMatchObject({
      description:
        'Wednesday, 25 March 2026, 19:00 to 22:00 (Berlin time), House. Songs from the river',
      'og:title': 'Song night',
      'og:url': `${BASE_URL}/events/song-night`,
      'og:type': 'article',
    });
    expect(page.meta.robots).toBeUndefined();
    for (const text of ['Song night', 'music', '19:00 to 22:00 (Berlin time)', '€12.50'])
      expect(page.text).toContain(text);
    expect(page.structuredData).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Song night',
      inLanguage: 'en',
      url: `${BASE_URL}/events/song-night`,
      description: summary,
      startDate: '2026-03-25T19:00:00+01:00',
      endDate: '2026-03-25T22:00:00+01:00',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'House' },
      organizer: { '@type': 'Organization', name: 'House', url: `${BASE_URL}/events` },
      keywords: 'music',
      isAccessibleForFree: false,
      offers: [
        {
          '@type': 'Offer',
          name: 'Standard',
          url: `${BASE_URL}/events/song-night`,
          price: '12.50',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/InStock',
          validThrough: '2026-03-24T12:00:00+01:00',
        },
        expect.objectContaining({
          name: 'Friends',
          category: 'Members only',
          availability: 'https://schema.org/SoldOut',
        }),
      ],
    });
  });

  it('says that an event was cancelled or is over', async () => {
    await make({ slug: 'off', status: 'cancelled', cancelReason: 'The hall is flooded.' });
    await make({
      slug: 'past',
      startsAt: new Date('2026-03-01T10:00:00Z'),
      endsAt: new Date('2026-03-01T12:00:00Z'),
    });
    const cancelled = await openPage('events/off');
    expect(cancelled.text).toContain('This event has been cancelled');
    expect(cancelled.text).toContain('The hall is flooded.');
    expect(cancelled.meta['og:description']).toMatch(/^Cancelled\./);
    const offers = [expect.objectContaining({ availability: 'https://schema.org/Discontinued' })];
    expect(cancelled.structuredData).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
      offers,
    });
    const past = await openPage('events/past');
    expect(past.text).toContain('This event is over');
    expect(past.structuredData).toMatchObject({ endDate: '2026-03-01T13:00:00+01:00', offers });
  });

  it('returns 404 and a page for drafts, events for members and unknown events', async () => {
    await make({ slug: 'draft', status: 'draft', title: 'Secret draft' });
    await make({ slug: 'members', visibility: 'members', title: 'Secret evening' });
    const pages = await Promise.all(
      ['draft', 'members', 'unknown', 'a/b', '%00', 'x'.repeat(300)].map((slug) =>
        openPage(`events/${slug}`),
      ),
    );
    for (const page of pages) {
      expect(page.response.status).toBe(404);
      expect(page.response.headers.get('cache-control')).toBe('no-cache');
      expect(page.errors).toEqual([]);
      expect(page.meta.robots).toBe('noindex');
      expect(page.html).not.toContain('Secret');
      expect(page.hrefs).toContain('/foyer/events');
    }
  });

  it('shows hostile text as text', async () => {
    const texts = { title: HOSTILE, summary: HOSTILE, description: HOSTILE, cancelReason: HOSTILE };
    await make({ slug: 'hostile', ...texts, tags: [HOSTILE], types: [{ name: HOSTILE }] });
    for (const path of ['events/hostile', 'events']) {
      const { scripts, text, errors, html, structuredData } = await openPage(path);
      expect(errors).toEqual([]);
      expect(text).toContain('<img src=x onerror=alert(1)> & "quoted"');
      expect(html).not.toContain('<img src=x');
      for (const { attributes, content } of scripts)
        if (content !== '') expect(attributes.type).toMatch(/^application\/(ld\+)?json$/);
      expect(JSON.stringify(structuredData)).toContain('onerror=alert(1)');
    }
  });
});

describe('the name of the space', () => {
  const NAME = `</title><script>alert(1)</script> & "Übungshaus" 'Süd' $& $'`;
  afterEach(() => updateSettings(app.ctx, { name: null }));

  it('is in the head of public pages, as text', async () => {
    await make({ slug: 'song-night', title: 'Song night' });
    const before = await openPage('events/song-night');
    expect((await openPage('events')).title).toBe('Events · Foyer');
    await updateSettings(app.ctx, { name: NAME });
    expect((await openPage('events')).title).toBe(`Events · ${NAME}`);
    const after = await openPage('events/song-night');
    expect(after.errors).toEqual([]);
    expect(after.title).toBe(`Song night · ${NAME}`);
    expect(after.meta).toMatchObject({ 'application-name': NAME, 'og:site_name': NAME });
    expect(after.structuredData).toMatchObject({ organizer: { name: NAME } });
    expect(after.scripts).toHaveLength(before.scripts.length);
    expect(before.meta['application-name']).toBeUndefined();
    expect(before.meta['og:site_name']).toBe('Foyer');
    expect(after.response.headers.get('etag')).not.toBe(before.response.headers.get('etag'));
    expect((await openPage('events/none')).title).toContain(` · ${NAME}`);
  });

  it.each(['my', 'embed/events'])(
    'is in the head of pages that the browser loads, as text: %s',
    async (path) => {
      const before = await openPage(path);
      await updateSettings(app.ctx, { name: NAME });
      const after = await openPage(path);
      expect(after.errors).toEqual([]);
      expect([before.title, after.title]).toEqual(['Foyer', NAME]);
      expect(after.meta['application-name']).toBe(NAME);
      expect(after.scripts).toEqual(before.scripts);
      expect((await openPage('admin')).title).toBe('Foyer');
    },
  );
});

describe('a public page', () => {
  it.each([
    ['events', 'Events · Foyer', 'ItemList'],
    ['events?tag=music', 'Events · Foyer', 'ItemList'],
    ['day-passes', 'Day passes · Foyer', 'ItemList'],
  ])('comes from the service with its content: %s', async (path, title, type) => {
    await app.ctx.db.dayPassType.deleteMany();
    const price = { priceAmount: 1_500, priceCurrency: 'EUR' };
    await app.ctx.db.dayPassType.create({ data: { locationId, name: 'Desk for a day', ...price } });
    await make({ slug: 'listed', title: 'Listed evening', tags: ['music'] });
    await make({ slug: 'other', title: 'Other evening', tags: ['food'] });
    const page = await openPage(path);
    expect(page.response.status).toBe(200);
    expect(page.errors).toEqual([]);
    expect(page.title).toBe(title);
    expect(page.links.canonical).toBe(`${BASE_URL}/${path.split('?')[0]}`);
    expect(page.structuredData).toMatchObject({ '@type': type });
    expect(page.text).toContain(path === 'day-passes' ? 'Desk for a day' : 'Listed evening');
    expect(page.text.includes('Other evening')).toBe(path === 'events');
  });

  it('can be cached by everyone, and only for people who are not signed in', async () => {
    await make({ slug: 'kept' });
    for (const path of ['events', 'events/kept', 'day-passes']) {
      const { headers, status } = await open(path);
      expect([status, headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=30, stale-while-revalidate=300',
      ]);
      expect(headers.get('vary')).toMatch(/cookie/i);
      expect(headers.get('set-cookie')).toBeNull();
      const again = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await open(path, again)).status).toBe(304);
      app.clock.now = new Date(NOW.getTime() + 20_000); // the data says when it was read, the tag does not
      expect((await open(path, again)).status).toBe(304);
      app.clock.now = NOW;
      const response = await open(path, { cookie: '__Host-foyer_session_foyer=x' });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(await response.text()).toContain('<div id="root"></div>');
      // Programs get objects at the same path, so caches must tell them apart.
      expect(headers.get('vary')).toMatch(/accept.*authorization/i);
      expect((await open(path, { authorization: 'Bearer x' })).status).toBe(401);
    }
  });

  it('shows a change at once', async () => {
    const { id } = await make({ slug: 'changing', title: 'Before' });
    expect((await openPage('events/changing')).text).toContain('Before');
    await app.ctx.db.event.update({ where: { id }, data: { title: 'After' } });
    const page = await openPage('events/changing');
    expect([page.text.includes('After'), page.text.includes('Before')]).toEqual([true, false]);
  });

  it('takes its addresses from the configuration, not from the request', async () => {
    await make({ slug: 'here' });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    for (const path of ['events/here', 'events', 'sitemap.xml', 'robots.txt', 'public/events.ics'])
      expect(await (await open(path, headers)).text()).not.toContain('evil.example');
  });

  it('has a policy without inline scripts and frames', async () => {
    await make({ slug: 'strict' });
    for (const path of ['events', 'events/strict', 'day-passes', 'events/unknown']) {
      const { response, scripts } = await openPage(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('script-src');
      for (const { attributes, content } of scripts)
        expect(attributes.src !== undefined || attributes.type?.endsWith('json')).toBe(
          content === '' || attributes.src === undefined,
        );
    }
  });
});

describe('what strangers find', () => {
  const event = fc.record({
    status: fc.constantFrom('draft', 'published', 'cancelled'),
    visibility: fc.constantFrom('public', 'members'),
    wasPublished: fc.boolean(),
    startsInHours: fc.integer({ min: -200, max: 200 }),
    hours: fc.integer({ min: 1, max: 48 }),
  });

  /** One of each kind, so that no run leaves one out. */
  const everyKind = ['draft', 'published', 'cancelled'].flatMap((status) =>
    ['public', 'members'].flatMap((visibility) =>
      [-100, 100].flatMap((startsInHours) =>
        [true, false].map((wasPublished) => ({
          ...{ status, visibility, wasPublished, startsInHours, hours: 2 },
        })),
      ),
    ),
  );

  it('is in the list, the sitemap and the calendar exactly if it is public', async () => {
    await checkProperty(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        await app.ctx.db.event.deleteMany();
        const rows = events.map((event, index) => {
          const startsAt = new Date(NOW.getTime() + event.startsInHours * HOUR_MS + index);
          const endsAt = new Date(startsAt.getTime() + event.hours * HOUR_MS);
          const isPublished = event.status === 'published';
          const publishedAt = isPublished || event.wasPublished ? NOW : null;
          return { ...event, slug: `event-${index}`, startsAt, endsAt, publishedAt };
        });
        await app.ctx.db.event.createMany({
          data: rows.map(({ wasPublished: _, startsInHours: __, hours: ___, ...row }) => ({
            ...row,
            locationId,
            title: `Title of ${row.slug}`,
          })),
        });
        const slugsOf = (chosen: typeof rows) => chosen.map(({ slug }) => slug).sort();
        const isPublic = ({ visibility }: (typeof rows)[number]) => visibility === 'public';
        const upcoming = rows.filter(
          (row) => isPublic(row) && row.status === 'published' && row.endsAt > NOW,
        );
        const known = rows.filter(
          (row) => isPublic(row) && row.publishedAt !== null && row.status !== 'draft',
        );
        const list = await openPage('events');
        const linked = (text: string) => [...new Set(text.match(/event-\d+/g) ?? [])].sort();
        expect(linked(list.html)).toEqual(slugsOf(upcoming));
        expect(linked(await (await open('sitemap.xml')).text())).toEqual(slugsOf(upcoming));
        const calendar = await (await open('public/events.ics')).text();
        expect(linked(calendar.replaceAll('\r\n ', ''))).toEqual(slugsOf(known));
        for (const row of rows)
          expect((await open(`events/${row.slug}`)).status).toBe(known.includes(row) ? 200 : 404);
      }),
      { numRuns: propertyRuns(6), examples: [[everyKind]] },
    );
  });
});

describe('the calendar of events', () => {
  const read = async (query = '') => {
    const response = await open(`public/events.ics${query}`);
    const text = await response.text();
    const root = new ICAL.Component(ICAL.parse(text));
    const entries = root.getAllSubcomponents('vevent').map((entry) => ({
      uid: entry.getFirstPropertyValue('uid'),
      summary: entry.getFirstPropertyValue('summary'),
      status: entry.getFirstPropertyValue('status'),
      url: entry.getFirstPropertyValue('url'),
      sequence: entry.getFirstPropertyValue('sequence'),
    }));
    const name = root.getFirstPropertyValue('x-wr-calname');
    return { response, text, entries, name };
  };

  it('says which events are cancelled, and can be cached', async () => {
    const { id } = await make({ slug: 'on', title: 'Jazz, late;\nloud', tags: ['music'] });
    await make({
      slug: 'off',
      title: 'Off',
      status: 'cancelled',
      startsAt: new Date('2026-03-26T18:00:00Z'),
      endsAt: new Date('2026-03-26T19:00:00Z'),
    });
    const { response, entries, text } = await read();
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=300/);
    expect(entries).toEqual([
      {
        uid: `${id}@house.example`,
        summary: 'Jazz, late; loud',
        status: 'CONFIRMED',
        url: `${BASE_URL}/events/on`,
        sequence: 0,
      },
      expect.objectContaining({ summary: 'Off', status: 'CANCELLED' }),
    ]);
    expect((await read('?tag=music&_=1')).entries).toEqual([entries[0]]);
    expect((await read()).text).toBe(text);
    const { createdAt } = await app.ctx.db.event.findUniqueOrThrow({ where: { id } });
    const updatedAt = new Date(createdAt.getTime() + 60_000);
    await app.ctx.db.event.update({ where: { id }, data: { updatedAt } });
    expect((await read()).entries[0]).toMatchObject({ sequence: 60 });
    await app.ctx.db.event.update({ where: { id }, data: { updatedAt: createdAt } });
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    expect((await open('public/events.ics', headers)).status).toBe(304);
  });

  it('has the name of the space', async () => {
    const before = await read();
    await updateSettings(app.ctx, { name: 'Haus; "Süd", Köln' });
    const after = await read();
    await updateSettings(app.ctx, { name: null });
    expect([before.name, after.name]).toEqual(['Events', 'Haus\\; "Süd"\\, Köln']); // escaped, as the parser leaves it
    expect(after.response.headers.get('etag')).not.toBe(before.response.headers.get('etag'));
  });

  it.each(['loc=x', 'tag=', 'location_id=here', `tag=${'x'.repeat(101)}`, 'tag=a&tag=b'])(
    'rejects parameters as the list of events does: %s',
    async (query) => {
      const [calendar, list] = await Promise.all(
        ['public/events.ics', 'public/events'].map((path) => open(`${path}?${query}`)),
      );
      expect([calendar?.status, await calendar?.text()]).toEqual([400, await list?.text()]);
    },
  );
});

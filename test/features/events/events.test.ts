import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import type { Credential } from '../../support/clients/api.ts';
import {
  EVENT_FIELDS,
  type Filter,
  fetchAllByGraphql,
  fetchAllByRest,
  toRestFormat,
} from '../../support/clients/lists.ts';
import { NOW, PASSWORD } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let member: Credential;
let owner: Credential;

beforeAll(async () => {
  app = await startApp();
  const { id, name, email } = await app.ctx.db.member.findUniqueOrThrow({
    where: { email: 'ben@example.org' },
  });
  const passwordHash = await hashPassword(PASSWORD);
  await app.ctx.db.user.create({ data: { name, email, memberId: id, passwordHash } });
  member = { cookie: await app.signIn(email) };
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterEach(() => {
  app.clock.now = NOW;
});
afterAll(() => app.stop());

const PUBLIC = [
  'community-lunch',
  'house-tour',
  'screen-printing',
  'type-night',
  'open-house',
  'rooftop-concert',
  'portuguese-for-beginners',
  'climate-hack-day',
];

const apis = [
  ['REST', fetchAllByRest],
  ['GraphQL', fetchAllByGraphql],
] as const;

const minutesAfter = (moment: Date, minutes: number) =>
  new Date(moment.getTime() + minutes * 60_000);

describe.each(apis)('community events through %s', (_, walk) => {
  const list = async (filter: Filter = {}) =>
    (await walk(app, { list: 'events', filter, limit: 100 })).items;
  const slugs = async (filter: Filter = {}) => (await list(filter)).map(({ slug }) => slug);

  it('lists published public events that are not over, soonest first', async () => {
    expect(await slugs()).toEqual(PUBLIC);
  });

  it('returns title, time, location and tickets', async () => {
    const [event] = await list({ tag: 'music' });
    const row = await app.ctx.db.event.findUniqueOrThrow({
      where: { slug: 'rooftop-concert' },
      include: { ticketTypes: { orderBy: { position: 'asc' } } },
    });
    expect(event).toEqual({
      id: row.id,
      slug: 'rooftop-concert',
      title: 'Rooftop concert: Amara & the Tides',
      summary: 'Acoustic set above the river.',
      description: null,
      status: 'published',
      visibility: 'public',
      // Daylight saving time starts in Lisbon between today and then.
      starts_at: '2026-04-04T18:30:00.000Z',
      ends_at: '2026-04-04T21:00:00.000Z',
      time_zone: 'Europe/Lisbon',
      location: {
        id: row.locationId,
        name: 'Foyer Alfama',
        address: 'Beco do Farol 3, 1100-001 Lisboa, Portugal',
      },
      resource: { id: row.resourceId, name: 'Miradouro' },
      tags: ['music'],
      capacity: 30,
      ticket_types: [
        {
          id: row.ticketTypes[0]?.id,
          name: 'Early bird',
          price: { amount: 1200, currency: 'EUR' },
          left: 0,
          sales_open: false,
        },
        {
          id: row.ticketTypes[1]?.id,
          name: 'Standard',
          price: { amount: 1800, currency: 'EUR' },
          left: 13,
          sales_open: true,
        },
      ],
      created_at: row.createdAt.toISOString(),
    });
  });

  it('lists events until they end', async () => {
    const lunch = await app.ctx.db.event.findUniqueOrThrow({ where: { slug: 'community-lunch' } });
    app.clock.now = lunch.startsAt;
    expect(await slugs()).toContain('community-lunch');
    app.clock.now = new Date(lunch.endsAt.getTime() - 1);
    expect(await slugs()).toContain('community-lunch');
    app.clock.now = lunch.endsAt;
    expect(await slugs()).toEqual(PUBLIC.slice(1));
  });

  it('computes tickets left from type and event', async () => {
    const left = Object.fromEntries(
      (await list()).map(({ slug, ticket_types }) => [
        slug,
        (ticket_types as { left: number | null }[]).map((type) => type.left),
      ]),
    );
    expect(left).toMatchObject({
      'community-lunch': [14], // without a quantity, 26 of 40 seats reserved
      'house-tour': [null],
      'screen-printing': [1, 0],
      'type-night': [0, 0],
      'open-house': [null],
    });
  });

  it('finds events by tag, in any case', async () => {
    expect(await slugs({ tag: 'print' })).toEqual(['screen-printing']);
    expect(await slugs({ tag: ' Design ' })).toEqual(['type-night']);
    expect(await slugs({ tag: 'prin' })).toEqual([]);
  });

  it('finds events by literal words of title or summary, in any order', async () => {
    expect(await slugs({ q: 'beginners PRINTING' })).toEqual(['screen-printing']);
    expect(await slugs({ q: 'above' })).toEqual(['rooftop-concert']);
    expect(await slugs({ q: 'beginners concert' })).toEqual([]);
    for (const wildcard of ['%', '_', '\\']) expect(await slugs({ q: wildcard })).toEqual([]);
  });

  it('finds events by location and time', async () => {
    const { id } = await app.ctx.db.location.findUniqueOrThrow({ where: { slug: 'alfama' } });
    expect(await slugs({ locationId: id })).toEqual([
      'house-tour',
      'rooftop-concert',
      'portuguese-for-beginners',
    ]);
    expect(await slugs({ locationId: v7() })).toEqual([]);
    const lunch = { from: '2026-03-18T12:00:00Z', to: '2026-03-18T12:00:00.001Z' };
    expect(await slugs(lunch)).toEqual(['community-lunch']);
    expect(await slugs({ from: '2026-03-18T12:30:00Z', to: '2026-03-18T17:00:00Z' })).toEqual([]);
  });
});

describe('sales', () => {
  it('are open from start to end, and only for published events', async () => {
    const { id: locationId } = await app.ctx.db.location.findFirstOrThrow();
    const { slug, id } = await app.ctx.db.event.create({
      data: {
        slug: 'sale',
        title: 'Sale',
        status: 'published',
        locationId,
        startsAt: minutesAfter(NOW, 60),
        endsAt: minutesAfter(NOW, 120),
        ticketTypes: {
          create: [
            {
              name: 'Early',
              position: 1,
              salesStartAt: minutesAfter(NOW, 10),
              salesEndAt: minutesAfter(NOW, 20),
            },
            { name: 'Always', position: 2 },
          ],
        },
      },
    });
    const openAfter = async (minutes: number) => {
      app.clock.now = minutesAfter(NOW, minutes);
      const text = `{ event(slug: "${slug}") { ticketTypes { salesOpen } } }`;
      const { data } = await app.graphql(text, {}, owner);
      return data.event.ticketTypes.map(({ salesOpen }: { salesOpen: boolean }) => salesOpen);
    };
    expect(await openAfter(9)).toEqual([false, true]);
    expect(await openAfter(10)).toEqual([true, true]);
    expect(await openAfter(20)).toEqual([false, true]);
    expect(await openAfter(119)).toEqual([false, true]);
    expect(await openAfter(120)).toEqual([false, false]);
    for (const status of ['draft', 'cancelled'] as const) {
      await app.ctx.db.event.update({ where: { id }, data: { status } });
      expect(await openAfter(10)).toEqual([false, false]);
    }
    await app.ctx.db.event.delete({ where: { id } });
  });
});

describe('event visibility', () => {
  const listSlugs = async (as: Credential, filter: Filter = {}) =>
    (await fetchAllByGraphql(app, { list: 'events', filter, limit: 100, as })).items.map(
      ({ slug }) => slug,
    );
  const hidden = ['founders-breakfast', 'rust-evening', 'annual-gathering'];
  const hiddenFrom = async (as: Credential) => {
    const slugs = await listSlugs(as);
    return hidden.filter((slug) => !slugs.includes(slug));
  };

  it('follows the audience of the event', async () => {
    expect(await hiddenFrom({})).toEqual(hidden);
    expect(await hiddenFrom(member)).toEqual(['rust-evening', 'annual-gathering']);
    expect(await hiddenFrom(owner)).toEqual([]);
    expect(await hiddenFrom({ token: await app.token('events:read') })).toEqual([]);
    expect(await hiddenFrom({ token: await app.token('bookings:read') })).toEqual(hidden);
  });

  it('applies to single events too, with the same NOT_FOUND', async () => {
    const send = (slug: string, as: Credential) =>
      app.graphql('query ($slug: String!) { event(slug: $slug) { slug } }', { slug }, as);
    const readError = async (slug: string) =>
      (await send(slug, {})).errors.map(({ message, extensions }) => [message, extensions]);
    const absent = await readError('no-such-event');
    expect(absent).toEqual([['No such event.', { code: 'NOT_FOUND', reason: 'NOT_FOUND' }]]);
    // Ticket holders can look up that the event is cancelled.
    const cancelled = 'rust-evening';
    expect((await send(cancelled, {})).data.event.slug).toBe(cancelled);
    for (const slug of hidden.filter((slug) => slug !== cancelled)) {
      const { id } = await app.ctx.db.event.findUniqueOrThrow({ where: { slug } });
      expect(await readError(slug)).toEqual(absent);
      expect(await readError(id)).toEqual(absent);
      expect((await send(slug, owner)).data.event.slug).toBe(slug);
      expect((await send(id, owner)).data.event.slug).toBe(slug);
    }
    expect((await send('founders-breakfast', member)).data.event.slug).toBe('founders-breakfast');
    expect((await send('zine-fair', {})).data.event.slug).toBe('zine-fair');
  });

  it('allows filters by status without showing more', async () => {
    expect(await listSlugs(owner, { status: 'draft' })).toEqual(['annual-gathering']);
    expect(await listSlugs(owner, { status: 'cancelled' })).toEqual(['rust-evening']);
    expect(await listSlugs({}, { status: 'cancelled' })).toEqual([]);
    expect(await listSlugs(member, { status: 'draft' })).toEqual([]);
  });

  it('returns past events through GraphQL only', async () => {
    const filter = { from: '2026-01-01T00:00:00Z', to: NOW.toISOString() };
    expect(await listSlugs({}, filter)).toEqual([
      'zine-fair',
      'freelance-tax-evening',
      'repair-cafe',
    ]);
    expect((await fetchAllByRest(app, { list: 'events', filter, limit: 100 })).items).toEqual([]);
  });

  it('agrees between list and single event', async () => {
    const { items } = await fetchAllByRest(app, { list: 'events', filter: {}, limit: 100 });
    for (const item of items) {
      const { data } = await app.graphql(`{ event(slug: "${item.slug}") { ${EVENT_FIELDS} } }`);
      expect(toRestFormat(data.event)).toEqual(item);
    }
  });
});

describe('public events over REST', () => {
  it.each(['Bearer nonsense', 'Bearer', 'Basic YTpi', '', `Bearer foyer_${'0'.repeat(49)}`])(
    'are returned with any Authorization header: %p',
    async (authorization) => {
      const { status, body } = await app.rest('/public/events', {}, { headers: { authorization } });
      expect(status).toBe(200);
      expect((body.data as { events: object[] }).events).toHaveLength(PUBLIC.length);
    },
  );

  it('are the same for staff and members', async () => {
    for (const as of [owner, member, { token: await app.token('*') }]) {
      const { items } = await fetchAllByRest(app, { list: 'events', filter: {}, limit: 100, as });
      expect(items.map(({ slug }) => slug)).toEqual(PUBLIC);
    }
  });

  it.each([
    'tag=',
    'q=%20',
    `q=${'x'.repeat(201)}`,
    'status=draft',
    'location_id=alfama',
    'to=now',
  ])('are rejected for ?%s', async (query) => {
    const { status, body } = await app.rest(`/public/events?${query}`);
    expect([status, body.success]).toEqual([400, false]);
    expect(body.data).toContain(query.split('=')[0]);
  });
});

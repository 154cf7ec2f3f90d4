import { hashPassword } from '../../src/auth/passwords.ts';
import type { Credential } from '../support/clients/api.ts';
import { BUYER, makeEvent, placeOrder } from '../support/factories/events.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let event: Awaited<ReturnType<typeof makeEvent>>;
let memberId: string;
const as: Record<'anonymous' | 'member' | 'staff' | 'events only', Credential> = {
  anonymous: {},
  member: {},
  staff: {},
  'events only': {},
};

beforeAll(async () => {
  app = await startApp();
  const rows = await addRowsForLists(app);
  event = rows.event;
  memberId = rows.member.id;
  const { name, email } = rows.member;
  const passwordHash = await hashPassword(PASSWORD);
  await app.ctx.db.user.create({ data: { name, email, memberId, passwordHash } });
  as.member = { cookie: await app.signIn(email) };
  as.staff = { cookie: await app.signIn(STAFF.front_desk) };
  as['events only'] = { token: await app.token('events:read') };
});
afterAll(() => app.stop());

const query = async (text: string, variables: object = {}, caller: Credential = as.staff) => {
  const { data, errors } = await app.graphql(text, variables, caller);
  expect(errors).toEqual([]);
  return data;
};

describe('one query reads', () => {
  it("an event with its location's next three events", async () => {
    const { events } = await query('{ events(first: 1) { nodes { slug } } }', {}, as.anonymous);
    const data = await query(
      `query ($slug: String!) { event(slug: $slug) { title
        location { name events(first: 3) { nodes { id startsAt location { id } } } } } }`,
      { slug: events.nodes[0].slug },
      as.anonymous,
    );
    const { nodes } = data.event.location.events;
    expect(nodes).toHaveLength(3);
    const starts = nodes.map(({ startsAt }: { startsAt: string }) => startsAt);
    expect(starts).toEqual(starts.toSorted());
  });

  it('my orders, and nobody else’s', async () => {
    const { me } = await query(
      `{ me { name
        orders(first: 20) { totalCount { value } nodes { memberId total { amount }
          event { title } payments(first: 2) { nodes { amount { amount } reference } } refunds { amount { amount } }
          tickets { code attendee { name } event { title } order { id } } } }
        tickets(first: 50) { nodes { attendee { name } order { memberId } } }
        dayPasses(first: 50) { nodes { validOn code location { name } dayPassType { name } } } } }`,
      {},
      as.member,
    );
    const own = await app.ctx.db.order.count({ where: { memberId } });
    expect(me.orders.totalCount.value).toBe(own);
    expect(own).toBeLessThan(await app.ctx.db.order.count());
    for (const order of me.orders.nodes) expect(order.memberId).toBe(memberId);
    for (const ticket of me.tickets.nodes) expect(ticket.order.memberId).toBe(memberId);
    const [withTickets] = me.orders.nodes.filter((order: { tickets: [] }) => order.tickets.length);
    expect(withTickets).toMatchObject({
      event: { title: 'Night of lists' },
      payments: { nodes: [{ amount: { amount: 2_000 }, reference: null }] },
      refunds: [{ amount: { amount: 500 } }],
      tickets: [{ code: null, attendee: { name: BUYER.name } }, { code: null }],
    });
    expect(me.dayPasses.nodes[0]).toMatchObject({ validOn: '2026-03-20', code: null });
  });

  it('the orders of an event with tickets, attendees and when they were checked in', async () => {
    const ticket = await app.ctx.db.ticket.findFirstOrThrow({ where: { eventId: event.id } });
    const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    const at = '2026-03-18T09:00:00.000Z';
    await app.ctx.db.checkIn.create({
      data: {
        locationId,
        result: 'admitted',
        subject: 'ticket',
        ticketId: ticket.id,
        occurredAt: at,
        createdAt: at,
        autoCheckOutAt: new Date('2026-03-18T12:00:00Z'),
        actor: 'system',
      },
    });
    const data = await query(
      `query ($slug: String!) { event(slug: $slug) { orders(first: 25) { nodes { buyer { name }
        tickets { id attendee { name }
          checkIns(first: 1, filter: { result: [ADMITTED] }) { nodes { at ticket { id } } } } } }
        checkIns { nodes { at } } } }`,
      { slug: event.slug },
    );
    // biome-ignore lint/suspicious/noExplicitAny: responses have any shape
    const tickets = data.event.orders.nodes.flatMap((order: any) => order.tickets);
    expect(tickets).toHaveLength(8);
    expect(
      tickets.filter(({ checkIns }: never) => (checkIns as { nodes: [] }).nodes.length),
    ).toEqual([
      {
        id: ticket.id,
        attendee: { name: ticket.attendeeName },
        checkIns: { nodes: [{ at, ticket: { id: ticket.id } }] },
      },
    ]);
    expect(data.event.checkIns.nodes).toEqual([{ at }]);
  });

  it('the number of bookings of this week and of active members', async () => {
    const [from, to] = ['2026-03-16T00:00:00Z', '2026-03-23T00:00:00Z'];
    const data = await query(
      `query ($from: DateTime, $to: DateTime) {
        bookings(filter: { from: $from, to: $to }) { totalCount { value isExact } }
        members(filter: { status: [ACTIVE] }) { totalCount { value isExact } } }`,
      { from, to },
    );
    const { booking, member } = app.ctx.db;
    const where = { startsAt: { lt: to }, endsAt: { gt: from } };
    const [ofWeek, ofAll] = [await booking.count({ where }), await booking.count()];
    const [active, all] = [
      await member.count({ where: { status: 'active' } }),
      await member.count(),
    ];
    expect(data).toEqual({
      bookings: { totalCount: { value: ofWeek, isExact: true } },
      members: { totalCount: { value: active, isExact: true } },
    });
    expect(ofWeek).toBeLessThan(ofAll);
    expect(active).toBeLessThan(all);
  });

  it('the last ten bookings before a moment', async () => {
    const { bookings } = await query(
      'query ($to: DateTime) { bookings(last: 10, filter: { to: $to }) { nodes { id } } }',
      { to: '2026-03-18T09:00:00Z' },
    );
    const rows = await app.ctx.db.booking.findMany({
      where: { startsAt: { lt: '2026-03-18T09:00:00Z' } },
      orderBy: [{ startsAt: 'desc' }, { id: 'desc' }],
      take: 10,
      select: { id: true },
    });
    expect(bookings.nodes).toEqual(rows.reverse());
  });
});

describe('a relation applies the scope and the visibility of the other type', () => {
  const read = (field: string, caller: Credential) =>
    app.graphql(
      `query ($slug: String!) { event(slug: $slug) { id ${field} } }`,
      { slug: event.slug },
      caller,
    );

  it.each([
    ['orders { nodes { id } }', 'orders:read'],
    ['tickets { nodes { id } }', 'orders:read'],
    ['waitlist { nodes { id } }', 'orders:read'],
    ['discountCodes { nodes { id } }', 'orders:read'],
    ['checkIns { nodes { id } }', 'check-ins:read'],
    ['ticketTypes { tickets { nodes { id } } }', 'orders:read'],
    ['location { displays { nodes { id } } }', 'displays:read'],
    ['location { announcements { nodes { id } } }', 'displays:read'],
    ['location { occupancy { present } }', 'check-ins:read'],
    ['location { dayPasses { nodes { id } } }', 'orders:read'],
    ['location { dayPassTypes(includeInactive: true) { id } }', 'day-passes:read'],
    ['resource { availability { free { startsAt } } }', 'spaces:read'],
  ])('%s requires %s', async (field, scope) => {
    const codes = async (caller: Credential) => (await read(field, caller)).codes;
    expect(await codes(as.anonymous)).toEqual(['UNAUTHENTICATED']);
    expect(await codes(as['events only'])).toEqual(['FORBIDDEN']);
    expect(await codes({ token: await app.token('events:read', scope) })).toEqual([]);
    expect(await codes(as.staff)).toEqual([]);
    if (scope !== 'spaces:read') expect(await codes(as.member)).toEqual(['FORBIDDEN']);
  });

  it.each([
    ['anonymous', null, ['draft', 'members']],
    ['member', 'Members only', ['draft']],
    ['events only', 'Members only', []],
    ['staff', 'Members only', []],
  ] as const)(
    '%s sees an event through a ticket type only if it is visible',
    async (caller, title, hidden) => {
      const { locationId } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
      const times = {
        locationId,
        startsAt: new Date('2027-01-01T10:00:00Z'),
        endsAt: new Date('2027-01-01T12:00:00Z'),
      };
      const made = {
        draft: await makeEvent(app, { ...times, status: 'draft', publishedAt: null }),
        members: await makeEvent(app, { ...times, visibility: 'members', title: 'Members only' }),
      };
      const { location } = (
        await query(
          `query ($slug: String!) { event(slug: $slug) { location {
          events(filter: { from: "2026-12-31T00:00:00Z", to: "2027-01-02T00:00:00Z" }) { nodes { id } } } } }`,
          { slug: event.slug },
          as[caller],
        )
      ).event;
      const ids = location.events.nodes.map(({ id }: { id: string }) => id);
      for (const name of ['draft', 'members'] as const)
        expect(ids.includes(made[name].id)).toBe(!(hidden as readonly string[]).includes(name));
      const order = await placeOrderOf(made.members);
      const data = await query(
        `query ($secret: String!) { order(secret: $secret) { event { title } eventSummary { title }
        items { typeName ticketType { name } } tickets { code event { title } ticketType { name } } } }`,
        { secret: order.secret },
        as[caller],
      );
      const type = title === null ? null : { name: 'Type 0' };
      const seen = title === null ? null : { title };
      expect(data.order).toEqual({
        event: seen,
        eventSummary: { title: 'Members only' },
        items: [{ typeName: 'Type 0', ticketType: type }],
        tickets: [{ code: expect.any(String), event: seen, ticketType: type }],
      });
      await app.ctx.db.event.deleteMany({ where: { id: made.draft.id } });
    },
  );

  /** Orders one free ticket while the event is public. */
  async function placeOrderOf({ id, slug, type }: Awaited<ReturnType<typeof makeEvent>>) {
    const { db } = app.ctx;
    await db.ticketType.update({ where: { id: type }, data: { priceAmount: 0 } });
    await db.event.update({ where: { id }, data: { visibility: 'public' } });
    const order = await placeOrder(app, slug, [{ ticketTypeId: type, quantity: 1 }]);
    await db.event.update({ where: { id }, data: { visibility: 'members' } });
    return order;
  }

  it('leads from an offer to the waiting-list entry and back, for whoever sees both', async () => {
    const { db } = app.ctx;
    const entry = await db.waitlistEntry.findFirstOrThrow({ where: { memberId } });
    const order = await db.order.findFirstOrThrow({ where: { memberId, eventId: event.id } });
    await db.waitlistEntry.update({ where: { id: entry.id }, data: { orderId: order.id } });
    const { orders } = await query(
      'query ($id: ID!) { orders(filter: { eventId: $id }) { nodes { id waitlistEntry { id order { id } } } } }',
      { id: event.id },
    );
    const offers = orders.nodes.filter((node: { waitlistEntry: unknown }) => node.waitlistEntry);
    expect(offers).toEqual([
      { id: order.id, waitlistEntry: { id: entry.id, order: { id: order.id } } },
    ]);
    const own = '{ me { orders(first: 100) { nodes { id waitlistEntry { id } } } } }';
    const find = async () => {
      const { me } = await query(own, {}, as.member);
      return me.orders.nodes.find(({ id }: { id: string }) => id === order.id).waitlistEntry;
    };
    expect(await find()).toEqual({ id: entry.id });
    await db.waitlistEntry.update({ where: { id: entry.id }, data: { memberId: null } });
    expect(await find()).toBeNull();
  });

  it('leads from a booking to those of its series that the caller sees', async () => {
    const { db } = app.ctx;
    const series = await db.bookingSeries.create({
      data: { rule: 'FREQ=DAILY;COUNT=3', startsAt: new Date('2026-03-18T09:00:00Z'), minutes: 60 },
    });
    const own = await db.booking.findMany({ where: { memberId }, take: 2 });
    const foreign = await db.booking.findFirstOrThrow({ where: { NOT: { memberId } } });
    const ids = [...own, foreign].map(({ id }) => id);
    await db.booking.updateMany({ where: { id: { in: ids } }, data: { seriesId: series.id } });
    const text =
      'query ($id: ID!) { booking(id: $id) { seriesBookings { nodes { id } totalCount { value } } } }';
    const read = async (caller: Credential) => {
      const { booking } = await query(text, { id: ids[0] }, caller);
      const { nodes, totalCount } = booking.seriesBookings;
      expect(totalCount.value).toBe(nodes.length);
      return nodes.map(({ id }: { id: string }) => id).toSorted();
    };
    expect(await read(as.staff)).toEqual(ids.toSorted());
    expect(await read(as.member)).toEqual(own.map(({ id }) => id).toSorted());
    const single = await db.booking.findFirstOrThrow({ where: { seriesId: null } });
    const { booking } = await query(text, { id: single.id });
    expect(booking.seriesBookings).toEqual({ nodes: [], totalCount: { value: 0 } });
  });

  it('shows a member no orders of others', async () => {
    const other = await app.ctx.db.order.findFirstOrThrow({
      where: { NOT: { memberId } },
      select: { id: true },
    });
    const { me } = await query('{ me { orders(first: 100) { nodes { id } } } }', {}, as.member);
    expect(me.orders.nodes).not.toContainEqual(other);
    const { codes } = await app.graphql('{ orders { nodes { id } } }', {}, as.member);
    expect(codes).toEqual(['FORBIDDEN']);
  });
});

describe('an object is the same whatever the arguments', () => {
  it('keeps the stock of a date apart from the day pass type', async () => {
    const data = await query(
      `{ dayPassTypes { id
        tuesday: stock(date: "2026-03-24") { date left } sunday: stock(date: "2026-03-29") { date left } }
        locations { nodes { dayPassTypes { id } occupancy { present location { id } } } } }`,
    );
    for (const { tuesday, sunday } of data.dayPassTypes) {
      expect([tuesday.date, sunday.date]).toEqual(['2026-03-24', '2026-03-29']);
    }
    const own = data.locations.nodes.flatMap(
      (node: { dayPassTypes: object[] }) => node.dayPassTypes,
    );
    const all = data.dayPassTypes.map(({ id }: { id: string }) => ({ id }));
    expect(own).toEqual(expect.arrayContaining(all));
    expect(own).toHaveLength(all.length);
  });

  it('gives the availability of each resource as the list of availability does', async () => {
    const period = 'from: "2026-03-19T00:00:00Z", to: "2026-03-20T00:00:00Z"';
    const FIELDS = '{ resource { id } slots { startsAt price { amount } } }';
    const data = await query(
      `{ availability(${period}) ${FIELDS} resources(first: 20) { nodes { id availability(${period}) ${FIELDS} } } }`,
    );
    const byId = new Map(
      data.availability.map((it: { resource: { id: string } }) => [it.resource.id, it]),
    );
    expect(data.resources.nodes.length).toBeGreaterThan(0);
    for (const { id, availability } of data.resources.nodes)
      expect(availability).toEqual(byId.get(id) ?? null);
  });
});

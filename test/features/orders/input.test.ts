import { v7 } from 'uuid';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  BUYER,
  bought,
  mailsTo,
  makeEvent,
  ORDER,
  order,
  orderByGraphql,
  placed,
  somebody,
} from '../../support/events.ts';

let app: TestApp;
let event: Awaited<ReturnType<typeof makeEvent>>;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  event = await makeEvent(app, { types: [{ quantity: null, maxPerOrder: 100 }] });
});
afterAll(() => app.stop());

const send = (body: string, headers: Record<string, string> = {}) =>
  app.rest(
    `/public/events/${event.id}/orders`,
    {},
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
  );
const good = () => ({ buyer: BUYER, items: [{ ticket_type_id: event.type, quantity: 1 }] });

describe('an invalid order', () => {
  it.each<[string, object]>([
    ['a quantity of none', { items: [{ quantity: 0 }] }],
    ['a quantity below none', { items: [{ quantity: -1 }] }],
    ['a million', { items: [{ quantity: 1_000_000 }] }],
    ['one and a half', { items: [{ quantity: 1.5 }] }],
    ['a quantity in words', { items: [{ quantity: 'two' }] }],
    ['no items', { items: [] }],
    ['too many items', { items: Array(21).fill({ quantity: 1 }) }],
    ['a ticket type that is no id', { items: [{ ticket_type_id: 'x', quantity: 1 }] }],
    ['no name', { buyer: { email: 'a@example.org' } }],
    ['an empty name', { buyer: { name: ' \t\n', email: 'a@example.org' } }],
    ['a name without end', { buyer: { name: 'x'.repeat(101), email: 'a@example.org' } }],
    ['a name on two lines', { buyer: { name: 'Bob\nBlocked', email: 'a@example.org' } }],
    ['a link for a name', { buyer: { name: 'See evil.com', email: 'a@example.org' } }],
    ['no e-mail address', { buyer: { name: 'Nora', email: 'nora' } }],
    ['two addresses in one', { buyer: { name: 'Nora', email: 'a@b.org, c@d.org' } }],
    ['a field that is not known', { gift: true }],
  ])('with %s is refused by REST with what is wrong', async (_, wrong) => {
    const body = { ...good(), ...wrong } as { items: object[] };
    const items = body.items.map((item) => ({ ticket_type_id: event.type, ...item }));
    const { status, body: response } = await send(JSON.stringify({ ...body, items }));
    expect([status, response]).toEqual([
      422,
      { success: false, data: expect.stringMatching(/: /) },
    ]);
  });

  it.each([
    ['{"buyer":', 400],
    ['[]', 400],
    ['', 400],
    [JSON.stringify({ more: 'x'.repeat(2_000_000) }), 400],
  ])('because it is no JSON, or far too much, is refused too', async (text, expected) => {
    const { status, body } = await send(text);
    expect([status, body]).toEqual([expected, { success: false, data: expect.any(String) }]);
  });

  it.each([0, -1, 101])('is rejected by GraphQL for a quantity of %d', async (quantity) => {
    const { errors } = await orderByGraphql(app, event.id, [
      { ticketTypeId: event.type, quantity },
    ]);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'INVALID_INPUT' });
  });

  it('writes nothing', async () => {
    expect(await app.ctx.db.order.count()).toBe(0);
  });
});

describe('text that buyers enter', () => {
  it('stores the email address in lower case and finds it', async () => {
    const { buyer } = await placed(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
      buyer: { name: '  Nora  ', email: 'NORA.Upper@Example.ORG' },
    });
    expect(buyer).toEqual({ name: 'Nora', email: 'nora.upper@example.org' });
  });

  it('is escaped in emails, receipts and calendars', async () => {
    const nasty = await makeEvent(app, {
      title: '<img src=x onerror=alert(1)> & "co"',
      types: [{ priceAmount: 0, name: '<b>Type</b>' }],
    });
    const { email } = somebody();
    const created = await bought(
      app,
      nasty.id,
      [
        {
          ticketTypeId: nasty.type,
          quantity: 1,
          attendees: [{ name: 'Eve <script>' }],
        },
      ],
      { buyer: { name: 'Bob <i>Your account is blocked</i>', email } },
    );
    expect(created.buyer.name).toBe('Bob <i>Your account is blocked</i>');
    expect(created.tickets[0].attendee.name).toBe('Eve <script>');
    const [mail] = await mailsTo(app, email);
    expect(mail?.html).not.toMatch(/<i>|<script|<img/);
    expect(mail?.subject).toMatch(/^Your tickets: /);
    expect(mail?.text).toMatch(/^Hello,\n\nYour order \w+ is confirmed: /);
    for (const what of ['receipt', 'calendar.ics']) {
      const page = await fetch(`${app.url}/public/orders/${created.secret}/${what}`);
      const text = await page.text();
      expect(text).toContain(what === 'receipt' ? '&lt;img' : 'img src=x');
      if (what === 'receipt') expect(text).not.toMatch(/<i>|<script|<img|<b>/);
    }
  });
});

describe('an order with an Idempotency-Key', () => {
  const requested = () => [{ ticketTypeId: event.type, quantity: 1 }];

  it('is placed once for two REST requests, which both return the secret', async () => {
    const key = v7();
    const before = await app.ctx.db.order.count();
    const first = await order(app, event.id, requested(), { key });
    const second = await order(app, event.id, requested(), { key });
    expect(first.status).toBe(201);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await app.ctx.db.order.count()).toBe(before + 1);
    const other = await order(app, event.id, [{ ticketTypeId: event.type, quantity: 2 }], { key });
    expect([other.status, other.body.data]).toEqual([422, expect.stringMatching(/key/)]);
    expect(await app.ctx.db.order.count()).toBe(before + 1);
  });

  it('is placed once for two GraphQL requests', async () => {
    const key = v7();
    const ask = async (quantity: number) => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({
          query: `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { ${ORDER} } }`,
          variables: {
            input: {
              eventId: event.id,
              buyer: BUYER,
              items: [{ ticketTypeId: event.type, quantity }],
            },
          },
        }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
      return (await response.json()) as any;
    };
    const first = await ask(1);
    expect(first.data.placeOrder.secret).toMatch(/./);
    expect(await ask(1)).toEqual(first);
    expect((await ask(2)).errors[0].extensions.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('releases expired holds of others', async () => {
    const small = await makeEvent(app, { types: [{ quantity: 1 }] });
    const items = [{ ticketTypeId: small.type, quantity: 1 }];
    await placed(app, small.id, items);
    expect((await order(app, small.id, items, { key: v7() })).status).toBe(422);
    const { now } = app.clock;
    app.clock.now = new Date(now.getTime() + 15 * 60_000);
    expect((await order(app, small.id, items, { key: v7() })).status).toBe(201);
    app.clock.now = now;
  });
});

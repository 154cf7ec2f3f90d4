import { v7 } from 'uuid';
import {
  BUYER,
  buyTickets,
  findEmails,
  makeBuyer,
  makeEvent,
  ORDER_FIELDS,
  placeOrder,
  placeOrderByGraphql,
  postOrder,
} from '../../support/factories/events.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let event: Awaited<ReturnType<typeof makeEvent>>;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
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
    ['a quantity of zero', { items: [{ quantity: 0 }] }],
    ['a negative quantity', { items: [{ quantity: -1 }] }],
    ['a million', { items: [{ quantity: 1_000_000 }] }],
    ['a fraction', { items: [{ quantity: 1.5 }] }],
    ['a quantity as text', { items: [{ quantity: 'two' }] }],
    ['no items', { items: [] }],
    ['too many items', { items: Array(21).fill({ quantity: 1 }) }],
    ['an invalid ticket type ID', { items: [{ ticket_type_id: 'x', quantity: 1 }] }],
    ['no name', { buyer: { email: 'a@example.org' } }],
    ['an empty name', { buyer: { name: ' \t\n', email: 'a@example.org' } }],
    ['a very long name', { buyer: { name: 'x'.repeat(101), email: 'a@example.org' } }],
    ['a name on two lines', { buyer: { name: 'Bob\nBlocked', email: 'a@example.org' } }],
    ['a link as name', { buyer: { name: 'See www.evil.com', email: 'a@example.org' } }],
    ['no email address', { buyer: { name: 'Nora', email: 'nora' } }],
    ['two addresses in one', { buyer: { name: 'Nora', email: 'a@b.org, c@d.org' } }],
    ['an unknown field', { gift: true }],
  ])('with %s is rejected by REST with the field', async (_, wrong) => {
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
  ])('that is not JSON or too large is rejected', async (text, expected) => {
    const { status, body } = await send(text);
    expect([status, body]).toEqual([expected, { success: false, data: expect.any(String) }]);
  });

  it.each([0, -1, 101])('is rejected by GraphQL for a quantity of %d', async (quantity) => {
    const { errors } = await placeOrderByGraphql(app, event.id, [
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
    const { buyer } = await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
      buyer: { name: '  Nora  ', email: 'NORA.Upper@Example.ORG' },
    });
    expect(buyer).toEqual({ name: 'Nora', email: 'nora.upper@example.org' });
  });

  it('is escaped in emails, receipts and calendars', async () => {
    const nasty = await makeEvent(app, {
      title: '<img src=x onerror=alert(1)> & "co"',
      types: [{ priceAmount: 0, name: '<b>Type</b>' }],
    });
    const { email } = makeBuyer();
    const created = await buyTickets(
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
    const [mail] = await findEmails(app, email);
    expect(mail?.html).not.toMatch(/<i>|<script|<img src=x/);
    expect(mail?.subject).toMatch(/^Your tickets: /);
    expect(mail?.text).toMatch(/^Hello,\n\nYour order \w+ is confirmed: /);
    for (const document of ['receipt', 'calendar.ics']) {
      const page = await fetch(`${app.url}/public/orders/${created.secret}/${document}`);
      const text = await page.text();
      expect(text).toContain(document === 'receipt' ? '&lt;img' : 'img src=x');
      if (document === 'receipt') expect(text).not.toMatch(/<i>|<script|<img|<b>/);
    }
  });
});

describe('an order with an Idempotency-Key', () => {
  const requested = () => [{ ticketTypeId: event.type, quantity: 1 }];

  it('is placed once for two REST requests, which both return the secret', async () => {
    const key = v7();
    const before = await app.ctx.db.order.count();
    const first = await postOrder(app, event.id, requested(), { key });
    const second = await postOrder(app, event.id, requested(), { key });
    expect(first.status).toBe(201);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await app.ctx.db.order.count()).toBe(before + 1);
    const other = await postOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 2 }], {
      key,
    });
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
          query: `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { ${ORDER_FIELDS} } } }`,
          variables: {
            input: {
              eventId: event.id,
              buyer: BUYER,
              items: [{ ticketTypeId: event.type, quantity }],
            },
          },
        }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
      return (await response.json()) as any;
    };
    const first = await ask(1);
    expect(first.data.placeOrder.order.secret).toMatch(/./);
    expect((await ask(1)).data).toEqual(first.data);
    expect((await ask(2)).errors[0].extensions.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('releases expired holds of others', async () => {
    const small = await makeEvent(app, { types: [{ quantity: 1 }] });
    const items = [{ ticketTypeId: small.type, quantity: 1 }];
    await placeOrder(app, small.id, items);
    expect((await postOrder(app, small.id, items, { key: v7() })).status).toBe(422);
    const { now } = app.clock;
    app.clock.now = new Date(now.getTime() + 15 * 60_000);
    expect((await postOrder(app, small.id, items, { key: v7() })).status).toBe(201);
    app.clock.now = now;
  });
});

import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { v7 } from 'uuid';
import {
  buyTickets,
  cancelOrder,
  fetchOrder,
  makeBuyer,
  makeEvent,
  ORDER_FIELDS,
  payOrder,
  placeOrder,
  postJson,
} from '../../support/factories/events.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  app = await startApp({ content: 'empty', logTo: (line) => lines.push(line) });
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}/public/orders/${path}`, { headers });
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, headers: response.headers, text: await response.text() };
}

async function passes(name = 'Flex') {
  const { location } = await makeSpace(app);
  const type = await app.ctx.db.dayPassType.create({
    data: { name, priceAmount: 0, locationId: location.id },
  });
  const { body } = await postJson(app, '/public/day-passes/orders', {
    buyer: makeBuyer(),
    day_pass_type_id: type.id,
    valid_on: '2026-03-27',
    holders: [{ name: 'Ole' }, { name: 'Ida' }],
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  return (body.data as any).order;
}

describe('the page of an order', () => {
  it('is the same through GraphQL and REST', async () => {
    const event = await makeEvent(app);
    const { secret } = await buyTickets(app, event.id, one(event.type, 2));
    const rest = await fetchOrder(app, secret);
    const { data } = await app.graphql(
      `query ($secret: String!) { order(secret: $secret) { ${ORDER_FIELDS} } }`,
      {
        secret,
      },
    );
    expect(data.order).toMatchObject({
      id: rest.id,
      code: rest.code,
      secret,
      status: 'PAID',
      paid: { amount: 2_000 },
      tickets: rest.tickets.map(({ id, code }: { id: string; code: string }) => ({ id, code })),
      allowedActions: {
        pay: false,
        confirm: false,
        cancel: true,
        refundUntil: rest.may.refund_until,
        changeAttendees: true,
      },
    });
    const { errors } = await app.graphql('{ order(secret: "x") { id } }');
    expect(errors).toMatchObject([{ message: 'No such order.' }]);
  });
});

describe('the calendar file', () => {
  const readEvents = (text: string) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => ({
      event: new ICAL.Event(component),
      status: component.getFirstPropertyValue('status'),
    }));

  it('contains the event, valid for calendar programs', async () => {
    const created = await makeEvent(app, { title: 'Soup;\r\nBEGIN:VALARM, and more\\' });
    const { secret } = await buyTickets(app, created.id, one(created.type));
    const file = await page(`${secret}/calendar.ics`);
    expect([file.status, file.type]).toEqual([200, 'text/calendar']);
    expect(file.text).not.toMatch(/[^\r]\n/);
    expect(file.text).toMatch(/\r\nEND:VCALENDAR\r\n$/);
    const [{ event, status } = {}] = readEvents(file.text);
    expect(event?.summary).toBe('Soup; BEGIN:VALARM, and more\\');
    expect(event?.startDate.toJSDate()).toEqual(new Date('2026-03-25T18:00:00Z'));
    expect(event?.endDate.toJSDate()).toEqual(new Date('2026-03-25T21:00:00Z'));
    expect(event?.location).toBe('House');
    expect(status).toBe('CONFIRMED');
  });

  it('shows the status of the order', async () => {
    const created = await makeEvent(app);
    const { secret } = await placeOrder(app, created.id, one(created.type));
    const status = async () => readEvents((await page(`${secret}/calendar.ics`)).text)[0]?.status;
    expect(await status()).toBe('TENTATIVE');
    const etag = (await page(`${secret}/calendar.ics`)).headers.get('etag') ?? '';
    const again = () => page(`${secret}/calendar.ics`, { 'if-none-match': etag });
    expect((await again()).status).toBe(304);
    await cancelOrder(app, secret);
    expect((await again()).status).toBe(200);
    expect(await status()).toBe('CANCELLED');
  });

  it('contains whole days for valid day passes', async () => {
    const { secret, day_passes } = await passes();
    await cancelOrder(app, secret, [day_passes[0].id]);
    const events = readEvents((await page(`${secret}/calendar.ics`)).text);
    expect(events.map(({ event }) => event.summary)).toEqual(['Flex, Ida']);
    expect(events[0]?.event.startDate.toString()).toBe('2026-03-27');
    expect(events[0]?.event.endDate.toString()).toBe('2026-03-28');
  });
});

describe('the receipt', () => {
  it('lists what was bought, paid and refunded', async () => {
    const event = await makeEvent(app);
    await app.ctx.db.discountCode.create({ data: { code: 'TENTH', percent: 10 } });
    const created = await buyTickets(app, event.id, one(event.type, 3), { discount_code: 'TENTH' });
    await cancelOrder(app, created.secret, [created.tickets[0].id]);
    const { status, type, text } = await page(`${created.secret}/receipt`);
    expect([status, type]).toEqual([200, 'text/html']);
    for (const fragment of ['€30.00', 'TENTH', '-€3.00', '€27.00', '€9.00', created.code])
      expect(text).toContain(fragment);
    expect(text).not.toContain(created.secret);
  });

  it('has a policy without scripts and frames, which allows exactly its style', async () => {
    const event = await makeEvent(app);
    const { secret } = await placeOrder(app, event.id, one(event.type));
    const response = await fetch(`${app.url}/public/orders/${secret}/receipt`);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(await response.text()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('uses the decimals of its currency', async () => {
    const event = await makeEvent(app, { types: [{ priceCurrency: 'JPY' }] });
    const { secret } = await placeOrder(app, event.id, one(event.type));
    expect((await page(`${secret}/receipt`)).text).toContain('¥1,000');
  });
});

describe('a QR code', () => {
  it('is an image, only for tickets of the order', async () => {
    const event = await makeEvent(app);
    const own = await buyTickets(app, event.id, one(event.type));
    const other = await buyTickets(app, event.id, one(event.type));
    const pass = await passes();
    for (const [secret, id] of [
      [own.secret, own.tickets[0].id],
      [pass.secret, pass.day_passes[1].id],
    ]) {
      const { status, type, text } = await page(`${secret}/codes/${id}`);
      expect([status, type]).toEqual([200, 'image/svg+xml']);
      expect(text).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    }
    for (const id of [other.tickets[0].id, v7(), 'x'])
      expect((await page(`${own.secret}/codes/${id}`)).status).toBe(404);
    for (const suffix of ['calendar.ics', 'receipt', 'tickets.pdf', `codes/${own.tickets[0].id}`])
      expect((await page(`x/${suffix}`)).status).toBe(404);
  });
});

it('never logs the secret of an order', async () => {
  const event = await makeEvent(app);
  const created = await buyTickets(app, event.id, one(event.type));
  const { secret } = created;
  for (const suffix of [
    '',
    '/calendar.ics',
    '/receipt',
    '/tickets.pdf',
    `/codes/${created.tickets[0].id}`,
    '/none',
  ])
    await page(`${secret}${suffix}`);
  await fetch(`${app.url}/pay/${secret}`, { redirect: 'manual' });
  await postJson(app, `/public/orders/${secret}/confirm`);
  await cancelOrder(app, secret, [v7()]);
  await payOrder(app, created, 1_000, { ref: v7() });
  await app.graphql(`{ order(secret: "${secret}") { id nonsense } }`);
  await cancelOrder(app, secret);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});

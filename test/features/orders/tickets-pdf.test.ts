import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import createBidi from 'bidi-js';
import fc from 'fast-check';
import decodeQr from 'qr/decode.js';
import { extractText, getDocumentProxy } from 'unpdf';
import { v7 } from 'uuid';
import { createQueues } from '../../../src/context.ts';
import type { FairQueue } from '../../../src/core/fair-queue.ts';
import { readFont } from '../../../src/features/orders/tickets-pdf/fonts.ts';
import {
  printTicketsBySecret,
  renderTicketFiles,
} from '../../../src/features/orders/tickets-pdf/service.ts';
import {
  findDirection,
  listVisualPieces,
} from '../../../src/features/orders/tickets-pdf/visual-order.ts';
import { createDeferred } from '../../support/deferred.ts';
import {
  buyTickets,
  cancelOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  placeOrder,
  postJson,
} from '../../support/factories/events.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty } from '../../support/harness/property-runs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const NAME = 'Łukasz Ωmega 山田 🎈 𓀀';

async function download(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}${path}`, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The text of each page, in one line. */
async function readPages(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)));
  return text.map((page) => page.replace(/\s+/g, ' '));
}

const SCALE = 4; // pixels per point

/** Paints the rectangles of each page into an image and decodes the QR code in it. */
function readQrCodes(pdf: Buffer): string[] {
  return [...pdf.toString('latin1').matchAll(/>>\nstream\n([\s\S]*?)\nendstream/g)]
    .map(([, stream]) => inflateSync(Buffer.from(stream ?? '', 'latin1')).toString('latin1'))
    .map((content) => [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)])
    .filter((rectangles) => rectangles.length > 50)
    .map((rectangles) => {
      const width = 300 * SCALE;
      const height = 420 * SCALE;
      const data = new Uint8Array(width * height * 4).fill(255);
      for (const match of rectangles) {
        const [x = 0, y = 0, w = 0, h = 0] = match.slice(1).map((number) => Number(number) * SCALE);
        for (let row = Math.round(y); row < Math.round(y + h); row += 1)
          for (let column = Math.round(x); column < Math.round(x + w); column += 1)
            data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
      return decodeQr({ width, height, data });
    });
}

/** A location with free day passes that opens twice on Fridays, and for an hour on Thursdays. */
async function makePlaceWithHours() {
  const { location } = await makeSpace(app);
  const locationId = location.id;
  await app.ctx.db.location.update({ where: { id: locationId }, data: { address: 'Quai 1' } });
  await app.ctx.db.openingHours.deleteMany({ where: { locationId } });
  await app.ctx.db.openingHours.createMany({
    data: [
      { locationId, weekday: 5, opensMinute: 840, closesMinute: 1440 },
      { locationId, weekday: 5, opensMinute: 540, closesMinute: 720 },
      { locationId, weekday: 4, opensMinute: 0, closesMinute: 60 },
    ],
  });
  const { id: typeId } = await app.ctx.db.dayPassType.create({
    data: { name: 'Flex', priceAmount: 0, locationId },
  });
  return { locationId, typeId };
}

describe('tickets as PDF', () => {
  it('have a page for each valid ticket, with its QR code', async () => {
    const event = await makeEvent(app, { title: 'Soup & Ślub' });
    const { db } = app.ctx;
    const { locationId } = await db.event.findUniqueOrThrow({ where: { id: event.id } });
    const { room } = await makeSpace(app);
    await db.resource.update({
      where: { id: room.id },
      data: { name: 'Auditório Douro', locationId },
    });
    await db.event.update({ where: { id: event.id }, data: { resourceId: room.id } });
    const attendees = [{ name: NAME }, { name: 'Ida' }, { name: 'Ole' }];
    const buyer = makeBuyer();
    const order = await buyTickets(
      app,
      event.id,
      [{ ticketTypeId: event.type, quantity: 3, attendees }],
      { buyer },
    );
    const [email] = await findEmails(app, buyer.email);
    expect(email?.text).toContain('Place: House, Auditório Douro\n');
    await cancelOrder(app, order.secret, [order.tickets[2].id]);
    const { status, headers, bytes } = await download(`/public/orders/${order.secret}/tickets.pdf`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="tickets-${order.code}.pdf"`,
    });
    const pages = await readPages(bytes);
    const codes = order.tickets.slice(0, 2).map(({ code }: { code: string }) => code);
    expect(pages).toHaveLength(2);
    for (const part of [
      'Soup & Ślub',
      codes[0],
      order.code,
      'House, Auditório Douro',
      '€10.00',
      '2026, 19:00',
      '(Berlin time)',
    ])
      expect(pages[0]).toContain(part);
    expect(pages[0]).toContain('Łukasz Ωmega 山田 🎈 □'); // no font has the hieroglyph
    expect(pages[1]).toContain('Ida');
    expect(readQrCodes(bytes)).toEqual(codes);
  });

  it('keep the characters of letters that an earlier ticket has as parts of others', async () => {
    const font = await readFont('bold');
    const subset = font.createSubset();
    for (const glyph of font.layout('áö').glyphs) subset.includeGlyph(glyph);
    subset.encode();
    expect(font.layout('ao').glyphs.map(({ codePoints }) => codePoints)).toEqual([[97], [111]]);
  });

  it('show the day, place and holder of a day pass', async () => {
    const { typeId } = await makePlaceWithHours();
    const { body } = await postJson(app, '/public/day-passes/orders', {
      buyer: makeBuyer(),
      day_pass_type_id: typeId,
      valid_on: '2026-03-27',
      holders: [{ name: 'Ole' }, { name: 'Ida' }],
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
    const { order } = body.data as any;
    const { bytes } = await download(`/public/orders/${order.secret}/tickets.pdf`);
    const pages = await readPages(bytes);
    expect(pages).toHaveLength(2);
    for (const part of [
      'Flex',
      'Friday, 27 March 2026, open 09:00 to 12:00, 14:00 to 24:00',
      'House, Quai 1',
      'Ole',
      'Free',
    ])
      expect(pages[0]).toContain(part);
    expect(readQrCodes(bytes)).toEqual(order.day_passes.map(({ code }: { code: string }) => code));
  });

  it('show the same place and opening times on the pages of the order and of the ticket', async () => {
    const place = await makePlaceWithHours();
    const sell = async (validOn: string) => {
      const { body } = await postJson(app, '/public/day-passes/orders', {
        ...{ buyer: makeBuyer(), day_pass_type_id: place.typeId, valid_on: validOn },
        holders: [{ name: 'Ole' }],
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
      const { order } = body.data as any;
      const { data } = await app.graphql(
        `query ($secret: String!, $code: String!, $id: ID!, $date: Date) {
          order(secret: $secret) { daySummary { ...Day } }
          admission(code: $code) { placeName address openingTimes { opens closes } }
          orders(filter: { q: "${order.code}" }) { edges { node { daySummary { ...Day } } } }
          dayPassTypes(locationId: $id) { stock(date: $date) { openingTimes { opens closes } } }
        }
        fragment Day on OrderedDay { locationName address timeZone openingTimes { opens closes } }`,
        {
          secret: order.secret,
          code: order.day_passes[0].code,
          id: place.locationId,
          date: validOn,
        },
        { cookie: await app.signIn(STAFF.owner) },
      );
      return data;
    };
    const toExpected = (openingTimes: object[]) => {
      const daySummary = {
        ...{ locationName: 'House', address: 'Quai 1', timeZone: 'Europe/Berlin' },
        openingTimes,
      };
      return {
        order: { daySummary },
        admission: { placeName: 'House', address: 'Quai 1', openingTimes },
        orders: { edges: [{ node: { daySummary } }] },
        dayPassTypes: [{ stock: { openingTimes } }],
      };
    };
    const friday = [
      { opens: '09:00', closes: '12:00' },
      { opens: '14:00', closes: '24:00' },
    ];
    expect(await sell('2026-03-27')).toEqual(toExpected(friday));
    const thursday = await sell('2026-03-26');
    expect(thursday).toEqual(toExpected([{ opens: '00:00', closes: '01:00' }]));
  });

  it('cut off what does not fit on the page', async () => {
    const event = await makeEvent(app, { title: 'W'.repeat(200) });
    const order = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const { bytes } = await download(`/public/orders/${order.secret}/tickets.pdf`);
    const pages = await readPages(bytes);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('WW… ');
  });

  it('are only for the order of the secret and for staff', async () => {
    const event = await makeEvent(app);
    const order = await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const held = await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const staff = { cookie: await app.signIn(STAFF.owner) };
    const own = await download(`/orders/${order.id}/tickets.pdf`, staff);
    expect([own.status, readQrCodes(own.bytes)]).toEqual([200, [order.tickets[0].code]]);
    for (const path of [`/public/orders/${held.secret}`, `/public/orders/none`])
      expect((await download(`${path}/tickets.pdf`)).status).toBe(404);
    for (const id of [held.id, v7(), 'none'])
      expect((await download(`/orders/${id}/tickets.pdf`, staff)).status).toBe(404);
  });

  it('leave out the names on free orders in emails, and are empty without valid tickets', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const attendees = [{ name: 'Buy pills now' }];
    const order = await placeOrder(app, event.id, [
      { ticketTypeId: event.type, quantity: 1, attendees },
    ]);
    const [file] = await renderTicketFiles(app.ctx, { orderId: order.id });
    const [page] = await readPages(file?.content ?? Buffer.alloc(0));
    expect(page).toContain('Free');
    expect(page).not.toContain('pills');
    const shown = await download(`/public/orders/${order.secret}/tickets.pdf`);
    expect((await readPages(shown.bytes))[0]).toContain('Buy pills now');
    expect(await renderTicketFiles(app.ctx, { orderId: order.id, ticketIds: [v7()] })).toEqual([]);
    await cancelOrder(app, order.secret);
    expect(await renderTicketFiles(app.ctx, { orderId: order.id })).toEqual([]);
  });

  it('are rendered two at a time, one for each network, and a client that wants many does not delay another', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const { secret } = await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const inTurn = createQueues(1).pdfs;
    const started: string[] = [];
    const { promise: released, resolve: release } = createDeferred<void>();
    const printed: Promise<unknown>[] = [];
    /** Returns when the PDF waits for its turn. */
    const print = (clientAddress: string) =>
      new Promise<void>((queued) => {
        const pdfs: FairQueue = Object.assign(
          <T>(caller: string, work: () => Promise<T>) => {
            queued();
            return inTurn(caller, async () => {
              started.push(clientAddress);
              await released;
              return work();
            });
          },
          { countWaiting: inTurn.countWaiting },
        );
        const ctx = { ...app.ctx, clientAddress, queues: { ...app.ctx.queues, pdfs } };
        printed.push(printTicketsBySecret(ctx, secret));
      });
    for (const address of ['203.0.113.1', '203.0.113.2', '198.51.100.1', '192.0.2.1'])
      await print(address);
    await setImmediate();
    expect(started).toEqual(['203.0.113.1', '198.51.100.1']);
    release();
    expect(await Promise.all(printed)).toHaveLength(4);
  });
});

describe('the order of letters on a ticket', () => {
  const order = (text: string) => listVisualPieces(text, findDirection(text));

  it.each([
    ['Ada Lovelace', ['Ada Lovelace']],
    ['محمد علي حسن', ['حسن', ' ', 'علي', ' ', 'محمد']],
    ['דוד בן גוריון', ['גוריון', ' ', 'בן', ' ', 'דוד']],
    ['John محمد علي', ['John ', 'علي', ' ', 'محمد']],
    ['שולחן 12 (קומה 3)', ['(', '3', ' ', 'קומה', ')', ' ', '12', ' ', 'שולחן']],
  ])('is that of reading: %s', (text, pieces) => {
    expect(order(text)).toEqual(pieces);
  });

  it('is that of the bidirectional algorithm for any text', () =>
    checkProperty(
      fc.property(
        fc.array(fc.constantFrom('ab', 'דוד', 'علي', '12', '(', ')', ' ', '-', '€', '👩‍👧'), {
          maxLength: 12,
        }),
        (parts) => {
          const text = parts.join('');
          const bidi = (createBidi as unknown as typeof createBidi.default)();
          const levels = bidi.getEmbeddingLevels(text, findDirection(text));
          const isRightToLeft = (piece: string) =>
            /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(piece);
          // The library of fonts reverses the letters of these.
          const shown = order(text).map((piece) =>
            isRightToLeft(piece) ? [...piece].reverse().join('') : piece,
          );
          const expected = bidi.getReorderedString(text, levels);
          // The algorithm knows no emojis of several characters.
          if (!text.includes('👩')) expect(shown.join('')).toBe(expected);
          else expect(shown.join('').split('👩‍👧').length).toBe(text.split('👩‍👧').length);
        },
      ),
    ));
});

import { extractText, getDocumentProxy } from 'unpdf';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { buyTickets, findEmails, makeBuyer, makeEvent } from '../../support/factories/events.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let event: Awaited<ReturnType<typeof makeEvent>>;
beforeAll(async () => {
  app = await startApp();
  event = await makeEvent(app, { types: [{ priceAmount: 2_000, quantity: 100 }] });
});
afterAll(() => app.stop());

const open = async (path: string) => {
  const response = await fetch(app.url + path, { headers: { accept: '*/*' } });
  return Buffer.from(await response.arrayBuffer());
};

async function readPdf(bytes: Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
  return text.join(' ');
}

/** Buys a ticket, and reads the price in the email about it. */
async function buyTicket() {
  const buyer = makeBuyer();
  const items = [{ ticketTypeId: event.type, quantity: 1 }];
  const { secret } = await buyTickets(app, event.id, items, { buyer });
  await catchUp(app.ctx, mailReader);
  const [confirmation] = await findEmails(app, buyer.email);
  return { secret, email: withSpaces(confirmation?.text ?? '') };
}

/** Reads all places where the price of a ticket is shown. */
async function readPrices(): Promise<[place: string, text: string][]> {
  const { secret, email } = await buyTicket();
  const { slug } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
  const texts = {
    email,
    list: String(await open('/events')),
    event: String(await open(`/events/${slug}`)),
    receipt: String(await open(`/public/orders/${secret}/receipt`)),
    tickets: await readPdf(await open(`/public/orders/${secret}/tickets.pdf`)),
  };
  return Object.entries(texts).map(([name, text]) => [name, withSpaces(text)]);
}

const withSpaces = (text: string) => text.replace(/[\s\u00a0\u202f]+/g, ' ');

describe('prices for guests', () => {
  it('say everywhere that they include tax, or that none is charged, if the space says so', async () => {
    const price = '€20.00';
    const notes = {
      included: '€20.00 incl. VAT',
      small_business: '€20.00 (no VAT is charged under § 19 UStG)',
    };
    await updateSettings(app.ctx, { language: 'en', taxNote: 'none' });
    const plain = await readPrices();
    const hasNote = (text: string) => Object.values(notes).some((note) => text.includes(note));
    expect(plain.filter(([, text]) => !text.includes(price) || hasNote(text))).toEqual([]);
    for (const taxNote of ['included', 'small_business'] as const) {
      await updateSettings(app.ctx, { taxNote });
      const prices = await readPrices();
      expect(prices.filter(([, text]) => !text.includes(notes[taxNote]))).toEqual([]);
    }
  });

  it.each([
    ['de', 'included', '20,00 € inkl. MwSt.'],
    ['de', 'small_business', '20,00 € (gemäß § 19 UStG wird keine Umsatzsteuer berechnet)'],
    ['fr', 'included', '20,00 € TTC'],
    ['fr', 'small_business', '20,00 € (TVA non facturée selon le § 19 UStG)'],
  ] as const)('say in %s: %s', async (language, taxNote, taxed) => {
    await updateSettings(app.ctx, { language, taxNote });
    expect((await buyTicket()).email).toContain(taxed);
  });

  it('have the tax note on pages, but not in the panel', async () => {
    await updateSettings(app.ctx, { taxNote: 'included' });
    const note = '<meta name="tax-note" content="included">';
    expect([
      String(await open('/my')).includes(note),
      String(await open('/admin')).includes(note),
    ]).toEqual([true, false]);
  });
});

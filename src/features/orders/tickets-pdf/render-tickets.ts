import type { Money } from '../../../core/money.ts';
import { formatLongTimeRange, type OpeningTime } from '../../../core/time/format.ts';
import type { Instant } from '../../../core/time/time-zone.ts';
import { runDueTimers } from '../../../core/turn-limit.ts';
import { formatPrice, type PriceTexts } from '../../settings/service.ts';
import { formatOpenDay } from '../describe-order.ts';
import { createQrModules } from '../service/portal.ts';
import { type Fonts, loadFonts } from './fonts.ts';
import { createTextWriter, type TextStyle } from './text-lines.ts';

/** What is printed on a ticket or day pass. */
export interface PrintedTicket {
  id: string;
  code: string;
  /** Null: not printed. */
  holderName: string | null;
  /** The name of the ticket type or day pass type. */
  typeName: string;
  /** Null for a day pass. */
  event: { title: string; startsAt: Instant; endsAt: Instant } | null;
  /** YYYY-MM-DD; null for a ticket. */
  validOn: string | null;
  timeZone: string;
  placeName: string;
  /** The room of an event. */
  roomName: string | null;
  /** On the date of a day pass. Null for a ticket, and if the location is always open. */
  openingTimes: OpeningTime[] | null;
  address: string | null;
  price: Money;
  orderCode: string;
}

const PAGE = { width: 297.64, height: 419.53 }; // A6, in points
const MARGIN = 24;
const WIDTH = PAGE.width - 2 * MARGIN;
const QR_SIZE = 136;
const COLUMN_GAP = 12;

const TITLE: TextStyle = { weight: 'bold', size: 15, maxLines: 3 };
const WHEN: TextStyle = { weight: 'bold', size: 9, maxLines: 2 };
const WHERE: TextStyle = { weight: 'regular', size: 9, maxLines: 3 };
const CODE: TextStyle = { weight: 'bold', size: 13, maxLines: 1, align: 'center' };
const LABEL: TextStyle = { weight: 'regular', size: 7, maxLines: 1, color: '#666666' };
const VALUE: TextStyle = { weight: 'regular', size: 9.5, maxLines: 2 };
/** What the space says about tax must not be cut off. */
const PRICE: TextStyle = { ...VALUE, maxLines: 5 };

/**
 * Renders tickets and day passes of one order as a PDF with a page for each. `now` becomes its creation date. Other work of the process goes
 * first between two pages.
 */
export async function renderTickets(
  texts: PriceTexts,
  tickets: PrintedTicket[],
  now: Date,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit'); // only processes that print tickets need it
  const pages = tickets.map((ticket) => toPage(texts, ticket));
  const title = texts.text('ticket.document', { order: tickets[0]?.orderCode ?? '' });
  const fonts = await loadFonts(pages.flatMap(({ printed }) => printed));
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    lang: texts.language,
    displayTitle: true,
    info: { Title: title, CreationDate: now },
  });
  registerFonts(doc, fonts);
  const chunks: Buffer[] = [];
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject));
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const page of pages) {
    await runDueTimers();
    doc.addPage();
    drawPage(doc, fonts, page);
  }
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

type Document = InstanceType<typeof import('pdfkit')>;

/** Registers fonts that are already parsed, which the library accepts, but not its types. */
function registerFonts(doc: Document, { regular, bold, fallback }: Fonts): void {
  for (const [name, font] of Object.entries({ regular, bold, fallback }))
    if (font) doc.registerFont(name, font as unknown as Buffer);
}

/** The texts of a page. */
function toPage(texts: PriceTexts, ticket: PrintedTicket) {
  const { language, text } = texts;
  const { code, typeName, event, validOn, timeZone, holderName, price, orderCode } = ticket;
  const title = event?.title ?? typeName;
  const when = event
    ? formatLongTimeRange(event.startsAt, event.endsAt, timeZone, language)
    : validOn
      ? formatOpenDay(texts, validOn, ticket.openingTimes)
      : '';
  const where = [ticket.placeName, ticket.roomName, ticket.address].filter(Boolean).join(', ');
  const fields: { label: string; value: string; style?: TextStyle }[] = [
    ...(holderName === null ? [] : [{ label: text('ticket.name'), value: holderName }]),
    { label: text(event ? 'ticket.ticket' : 'ticket.pass'), value: typeName },
    { label: text('ticket.order'), value: orderCode },
    {
      label: text('ticket.price'),
      value: price.amount === 0 ? text('ticket.free') : formatPrice(texts, price),
      style: PRICE,
    },
  ];
  const printed = [
    title,
    when,
    where,
    code,
    ...fields.flatMap(({ label, value }) => [label, value]),
  ];
  return { title, when, where, code, fields, printed };
}

function drawPage(doc: Document, fonts: Fonts, page: ReturnType<typeof toPage>): void {
  const writeText = createTextWriter(doc, fonts);
  const box = { x: MARGIN, width: WIDTH };
  let y = writeText(page.title, { ...box, y: MARGIN }, TITLE);
  y = writeText(page.when, { ...box, y: y + 4 }, WHEN);
  y = writeText(page.where, { ...box, y: y + 1 }, WHERE);
  drawQrCode(doc, page.code, { x: (PAGE.width - QR_SIZE) / 2, y: y + 10 });
  y = writeText(page.code, { ...box, y: y + QR_SIZE + 16 }, CODE) + 8;
  const width = (WIDTH - COLUMN_GAP) / 2;
  for (let index = 0; index < page.fields.length; index += 2) {
    const bottoms = page.fields.slice(index, index + 2).map(({ label, value, style }, column) => {
      const cell = { x: MARGIN + column * (width + COLUMN_GAP), width };
      return writeText(
        value,
        { ...cell, y: writeText(label, { ...cell, y }, LABEL) },
        style ?? VALUE,
      );
    });
    y = Math.max(...bottoms) + 5;
  }
}

/** Draws the same QR code as the ticket page, as rectangles. Each covers adjacent dark modules of a row. */
function drawQrCode(doc: Document, code: string, { x, y }: { x: number; y: number }): void {
  const { size, isDark } = createQrModules(code);
  const length = QR_SIZE / size;
  for (let row = 0; row < size; row += 1) {
    for (let start = 0; start < size; start += 1) {
      let end = start;
      while (end < size && isDark(row, end)) end += 1;
      if (end > start)
        doc.rect(x + start * length, y + row * length, (end - start) * length, length);
      start = end;
    }
  }
  doc.fill('#000000');
}

import ical, { ICalEventStatus } from 'ical-generator';
import QRCode from 'qrcode';
import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../context.ts';
import { formatMoney } from '../../core/money.ts';
import type { Instant } from '../../core/time/instant.ts';
import { projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { notFound } from '../../errors.ts';
import { escapeHtml } from '../../integrations/email/layout.ts';
import { toOrderSubject } from './emails/format.ts';
import type { AdmissionStatus, Order } from './types.ts';

/** What a ticket or day pass admits its holder to. */
export interface Admission {
  code: string;
  status: AdmissionStatus;
  holderName: string;
  /** The name of the ticket type or day pass type. */
  typeName: string;
  /** Null for a day pass. */
  event: { slug: string; title: string; startsAt: Instant; endsAt: Instant } | null;
  /** YYYY-MM-DD; null for a ticket. */
  validOn: string | null;
  timeZone: string;
  placeName: string;
  address: string | null;
}

const FIND_ADMISSION_BY_CODE = prepareStatement(`
  SELECT json_build_object('code', t.code, 'status', t.status, 'holderName', t.attendee_name, 'typeName', type.name,
    'event', json_build_object('slug', e.slug, 'title', e.title, 'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')}),
    'validOn', NULL, 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address) AS admission
  FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id JOIN events e ON e.id = t.event_id
    JOIN locations l ON l.id = e.location_id
  WHERE t.code = $1::text AND t.status IN ('valid', 'cancelled')
  UNION ALL
  SELECT json_build_object('code', p.code, 'status', p.status, 'holderName', p.holder_name, 'typeName', type.name,
    'event', NULL, 'validOn', to_char(p.valid_on, 'YYYY-MM-DD'), 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address)
  FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations l ON l.id = type.location_id
  WHERE p.code = $1::text AND p.status IN ('valid', 'cancelled')`);

/** Gets a ticket or day pass by its code. Throws NOT_FOUND, also for the old code of a transferred one. */
export async function getAdmissionByCode(
  { pipelinedSql }: Context,
  code: string,
): Promise<Admission> {
  const [row] = await pipelinedSql<{ admission: Admission }>(FIND_ADMISSION_BY_CODE, [
    code.trim().toUpperCase(),
  ]);
  if (row === undefined) throw notFound('ticket');
  return row.admission;
}

/** Renders a receipt as an HTML page to print. */
export function renderReceipt(order: Order): string {
  const { title, lines } = toOrderSubject(order);
  const row = (cells: string[], tag = 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const { currency } = order.total;
  const items = order.items.map(({ ticketType, dayPassType, validOn, quantity, unitPrice }) =>
    row([
      [ticketType?.name ?? dayPassType?.name ?? '', validOn].filter(Boolean).join(', '),
      String(quantity),
      formatMoney(unitPrice),
      formatMoney({ amount: unitPrice.amount * quantity, currency }),
    ]),
  );
  const sums = [
    ...(order.discount.amount.amount > 0
      ? [
          [
            `Discount${order.discount.code ? ` (${order.discount.code})` : ''}`,
            `-${formatMoney(order.discount.amount)}`,
          ],
        ]
      : []),
    ['Total', formatMoney(order.total)],
    ['Paid', formatMoney(order.paid)],
    ...(order.refunded.amount > 0 ? [['Refunded', formatMoney(order.refunded)]] : []),
  ].map(([label = '', amount = '']) => row([label, '', '', amount], 'th'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Receipt ${escapeHtml(order.code)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
table { width: 100%; border-collapse: collapse; margin: 1.5em 0 }
th, td { text-align: left; padding: .4em .6em .4em 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th:last-child, td:last-child, td:nth-child(2), td:nth-child(3) { text-align: right; white-space: nowrap }
@media print { body { margin: 0 } }
</style>
</head>
<body>
<h1>Receipt</h1>
<p>Order ${escapeHtml(order.code)}, ${escapeHtml(order.status)}<br>Ordered ${escapeHtml(order.createdAt.slice(0, 10))}${
    order.paidAt ? `, confirmed ${escapeHtml(order.paidAt.slice(0, 10))}` : ''
  } (UTC)</p>
<p>${escapeHtml(order.buyer.name)}<br>${escapeHtml(order.buyer.email)}</p>
<p><strong>${escapeHtml(title)}</strong><br>${lines.map(escapeHtml).join('<br>')}</p>
<table>
<thead>${row(['Item', 'Quantity', 'Price', 'Total'], 'th')}</thead>
<tbody>${items.join('')}</tbody>
<tfoot>${sums.join('')}</tfoot>
</table>
</body>
</html>
`;
}

const ICAL_STATUSES = {
  pending: ICalEventStatus.TENTATIVE,
  paid: ICalEventStatus.CONFIRMED,
  expired: ICalEventStatus.CANCELLED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** Renders the event or the days of an order as a calendar file (RFC 5545). */
export function toCalendarFile(
  order: Order,
  { host, baseUrl }: { host: string; baseUrl: string },
): string {
  const calendar = ical({ prodId: '//Foyer//Orders//EN' });
  const { event } = order;
  if (event) {
    calendar.createEvent({
      id: `${event.id}@${host}`,
      start: new Date(event.startsAt),
      end: new Date(event.endsAt),
      ...toICalVersion(order, event.updatedAt),
      summary: toICalText(event.title),
      location: [event.location.name, event.location.address]
        .flatMap((text) => (text ? [toICalText(text)] : []))
        .join(', '),
      // Not the order page: people share their calendars.
      url: `${baseUrl}/events/${event.slug}`,
      status:
        event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICAL_STATUSES[order.status],
    });
  }
  for (const pass of order.dayPasses.filter(({ status }) => status === 'valid')) {
    const day = Temporal.PlainDate.from(pass.validOn);
    calendar.createEvent({
      id: `${pass.id}@${host}`,
      start: toMidnight(day),
      end: toMidnight(day.add({ days: 1 })),
      allDay: true,
      ...toICalVersion(order, order.createdAt),
      summary: toICalText(`${pass.dayPassType.name}, ${pass.holder.name}`),
      location: toICalText(pass.location.name),
    });
  }
  return calendar.toString();
}

/** Calendars replace an entry by one with a higher sequence number, so later changes count up. */
function toICalVersion({ createdAt, cancelledAt }: Order, changedAt: string) {
  const latest = [createdAt, cancelledAt ?? createdAt, changedAt].toSorted().at(-1) ?? createdAt;
  const stamp = new Date(latest);
  return { stamp, sequence: Math.floor((stamp.getTime() - Date.parse(createdAt)) / 1_000) };
}

const toMidnight = (day: Temporal.PlainDate) => new Date(`${day.toString()}T00:00:00Z`);

/** One line without control characters, which calendar files forbid. */
const toICalText = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Renders a code as a QR code in SVG. */
export const renderQrCode = (code: string): Promise<string> =>
  QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });

/** Renders a code as a data URL of a QR code in SVG. */
export const renderQrDataUrl = async (code: string): Promise<string> =>
  `data:image/svg+xml;base64,${Buffer.from(await renderQrCode(code)).toString('base64')}`;

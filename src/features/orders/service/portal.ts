import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import QRCode from 'qrcode';
import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../../context.ts';
import { toCalendarTimes, toOptionalLine, toOrganizer } from '../../../core/calendar-file.ts';
import { toSingleLine } from '../../../core/text-rules.ts';
import type { OpeningTime } from '../../../core/time/format.ts';
import type { Instant } from '../../../core/time/time-zone.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { notFound } from '../../../errors.ts';
import type { Sender } from '../../../integrations/email/sender.ts';
import { toOpeningTimesSql } from '../../spaces/service/opening-hours.ts';
import type { AdmissionStatus } from '../rows.ts';
import type { Order } from '../types.ts';

/** A ticket or day pass as its holder sees it. */
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
  /** The room of an event. Null if it has none, and for a day pass. */
  roomName: string | null;
  address: string | null;
  /** On the date of a day pass. Null for a ticket, and if the location is always open. */
  openingTimes: OpeningTime[] | null;
}

const FIND_ADMISSION_BY_CODE = prepareStatement(`
  SELECT json_build_object('code', t.code, 'status', t.status, 'holderName', t.attendee_name, 'typeName', type.name,
    'event', json_build_object('slug', e.slug, 'title', e.title, 'startsAt', ${projectInstant('e.starts_at')}, 'endsAt', ${projectInstant('e.ends_at')}),
    'validOn', NULL, 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address,
    'roomName', (SELECT r.name FROM resources r WHERE r.id = e.resource_id), 'openingTimes', NULL) AS admission
  FROM tickets t JOIN ticket_types type ON type.id = t.ticket_type_id JOIN events e ON e.id = t.event_id
    JOIN locations l ON l.id = e.location_id
  WHERE t.code = $1::text AND t.status IN ('valid', 'cancelled')
  UNION ALL
  SELECT json_build_object('code', p.code, 'status', p.status, 'holderName', p.holder_name, 'typeName', type.name,
    'event', NULL, 'validOn', to_char(p.valid_on, 'YYYY-MM-DD'), 'timeZone', l.time_zone, 'placeName', l.name, 'address', l.address,
    'roomName', NULL, 'openingTimes', ${toOpeningTimesSql('l.id', 'p.valid_on')})
  FROM day_passes p JOIN day_pass_types type ON type.id = p.type_id JOIN locations l ON l.id = type.location_id
  WHERE p.code = $1::text AND p.status IN ('valid', 'cancelled')`);

/** Gets a ticket or day pass by its code. @throws NOT_FOUND, also for the old code of a transferred one. */
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

const ICAL_STATUSES = {
  pending: ICalEventStatus.TENTATIVE,
  paid: ICalEventStatus.CONFIRMED,
  expired: ICalEventStatus.CANCELLED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** A message about the entries of an order (RFC 5546). */
export interface CalendarMessage {
  /** `PUBLISH` adds and updates entries, `CANCEL` removes those of what was cancelled. */
  method: 'PUBLISH' | 'CANCEL';
  organizer: Sender;
  /** The time of the email, which gives later files higher sequence numbers. */
  sentAt: Date;
}

/** Renders the event or the days of an order as a calendar file (RFC 5545), or as a message of an email. */
export function toCalendarFile(
  order: Order,
  {
    host,
    baseUrl,
    message,
    showsNames = true,
  }: { host: string; baseUrl: string; message?: CalendarMessage; showsNames?: boolean },
): string {
  const calendar = ical({
    prodId: '//Foyer//Orders//EN',
    method: message ? ICalCalendarMethod[message.method] : null,
  });
  const isCancellation = message?.method === 'CANCEL';
  const cancelled = isCancellation ? { status: ICalEventStatus.CANCELLED } : {};
  const organizer = message ? { organizer: toOrganizer(message.organizer) } : {};
  const sentAt = message?.sentAt.toISOString();
  const { event } = order;
  if (event) {
    calendar.createEvent({
      // Each order has its own entry, so that cancelling one does not remove the event for another one.
      id: `${order.id}@${host}`,
      ...toCalendarTimes(new Date(event.startsAt), new Date(event.endsAt), event.timeZone),
      ...toICalVersion(order, sentAt ?? event.updatedAt),
      summary: toSingleLine(event.title),
      location: [event.location.name, event.location.address].flatMap(toOptionalLine).join(', '),
      // The event page, since the order page is secret and people share their calendars.
      url: `${baseUrl}/events/${event.slug}`,
      status:
        event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICAL_STATUSES[order.status],
      ...organizer,
      ...cancelled,
    });
  }
  const status = isCancellation ? 'cancelled' : 'valid';
  for (const pass of order.dayPasses.filter((pass) => pass.status === status)) {
    const day = Temporal.PlainDate.from(pass.validOn);
    calendar.createEvent({
      id: `${pass.id}@${host}`,
      start: toMidnight(day),
      end: toMidnight(day.add({ days: 1 })),
      allDay: true,
      ...toICalVersion(order, sentAt ?? order.createdAt),
      summary: toSingleLine(
        showsNames ? `${pass.dayPassType.name}, ${pass.holder.name}` : pass.dayPassType.name,
      ),
      location: toSingleLine(pass.location.name),
      ...organizer,
      ...cancelled,
    });
  }
  return `${calendar.toString()}\r\n`; // the library omits the last line break
}

/** Returns a sequence number that grows with each change, since calendars replace an entry by one with a higher number. */
function toICalVersion({ createdAt, cancelledAt }: Order, changedAt: string) {
  const latest = [createdAt, cancelledAt ?? createdAt, changedAt].toSorted().at(-1) ?? createdAt;
  const stamp = new Date(latest);
  return { stamp, sequence: Math.floor((stamp.getTime() - Date.parse(createdAt)) / 1_000) };
}

const toMidnight = (day: Temporal.PlainDate) => new Date(`${day.toString()}T00:00:00Z`);

/** Renders a code as a QR code in PNG. */
export const renderQrImage = (code: string): Promise<Buffer> =>
  QRCode.toBuffer(code, { type: 'png', ...ERROR_CORRECTION, margin: 2, scale: 8 });

const ERROR_CORRECTION = { errorCorrectionLevel: 'M' } as const;

/** Renders a code as a QR code in SVG. */
export const renderQrCode = (code: string): Promise<string> =>
  QRCode.toString(code, { type: 'svg', ...ERROR_CORRECTION, margin: 2 });

/** Returns the modules of the same QR code, without a margin. */
export function createQrModules(code: string) {
  const { modules } = QRCode.create(code, ERROR_CORRECTION);
  return {
    size: modules.size,
    isDark: (row: number, column: number) => modules.get(row, column) === 1,
  };
}

/** Renders a code as a data URL of a QR code in SVG. */
export const renderQrDataUrl = async (code: string): Promise<string> =>
  `data:image/svg+xml;base64,${Buffer.from(await renderQrCode(code)).toString('base64')}`;

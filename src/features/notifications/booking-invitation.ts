import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Context } from '../../context.ts';
import { toCalendarTimes, toOrganizer } from '../../core/calendar-file.ts';
import { toSingleLine } from '../../core/text-rules.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { EmailAttachment } from '../../integrations/email/outbox.ts';
import { parseSender, type Sender } from '../../integrations/email/sender.ts';
import type { SpaceTexts } from '../../languages/emails/email-texts.ts';

interface CalendarBooking {
  id: string;
  startsAt: Date;
  endsAt: Date;
  isPending: boolean;
  resource: string;
  location: string;
  address: string | null;
  timeZone: string;
  title: string | null;
}

interface BookingCalendar extends Pick<Invitation, 'isCancelled' | 'attendee' | 'url'> {
  bookings: CalendarBooking[];
}

/** Renders the calendar file of an email about bookings of one holder, and counts it. */
export async function renderBookingCalendar(
  ctx: Context,
  { text, spaceName }: SpaceTexts,
  { isCancelled, attendee, url, bookings }: BookingCalendar,
): Promise<Extract<EmailAttachment, { type: 'calendar' }>> {
  const sequences = await nextSequences(ctx, bookings);
  const method = chooseMethod(bookings.length, isCancelled);
  const content = renderInvitation({
    ...{ method, isCancelled, attendee, url, now: ctx.now() },
    host: new URL(ctx.baseUrl).host,
    organizer: parseSender(ctx.mailFrom, spaceName),
    entries: bookings.map(({ id, startsAt, endsAt, timeZone, isPending, ...names }) => ({
      ...{ id, startsAt, endsAt, timeZone, isPending, sequence: sequences.get(id) ?? 0 },
      summary: `${toSingleLine(names.title ?? '') || text('booking.untitled')} (${toSingleLine(names.resource)})`,
      place: [names.resource, names.location, names.address]
        .filter((part) => part !== null)
        .map(toSingleLine)
        .join(', '),
    })),
  });
  return { type: 'calendar', method, content };
}

const NEXT_SEQUENCES = prepareStatement(`
  INSERT INTO booking_invitations AS i (booking_id, sequence)
  SELECT id, greatest(0, floor(extract(epoch FROM $2::timestamptz - created_at))::int) FROM bookings WHERE id = ANY ($1::uuid[])
  ON CONFLICT (booking_id) DO UPDATE SET sequence = greatest(i.sequence + 1, EXCLUDED.sequence)
  RETURNING booking_id AS "bookingId", sequence`);

/**
 * Counts another calendar entry of each booking, and returns the numbers by its id: the seconds since it was made, as in calendar feeds,
 * and always more than before. Calendar programs ignore entries with a lower number than the last one.
 */
async function nextSequences(
  ctx: Context,
  bookings: { id: string }[],
): Promise<Map<string, number>> {
  const ids = bookings.map(({ id }) => id);
  type Row = { bookingId: string; sequence: number };
  const rows = await ctx.lockingSql<Row>(NEXT_SEQUENCES, [ids, ctx.now()]);
  return new Map(rows.map(({ bookingId, sequence }) => [bookingId, sequence]));
}

/** A booking as the calendar of its holder shows it. */
interface InvitationEntry {
  id: string;
  sequence: number;
  isPending: boolean;
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
  /** One line. */
  summary: string;
  place: string;
}

interface Invitation {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH';
  isCancelled: boolean;
  /** Makes the UIDs globally unique. They are the same as in calendar feeds. */
  host: string;
  /** The sender of emails. */
  organizer: Sender;
  /** The address of the holder. */
  attendee: string;
  now: Date;
  url: string | undefined;
  entries: InvitationEntry[];
}

/**
 * Returns the method of a message. A request is about one UID (RFC 5546, 3.2.2), so a series is published. Its cancellation names all
 * entries in one file although each should have its own (3.2.5): programs remove entries only by this method, and read one file.
 */
function chooseMethod(bookings: number, isCancelled: boolean): Invitation['method'] {
  if (isCancelled) return 'CANCEL';
  return bookings > 1 ? 'PUBLISH' : 'REQUEST';
}

/** Renders bookings as an iCalendar message (RFC 5546). Calendar programs add, move and remove single bookings by themselves. */
function renderInvitation(invitation: Invitation): string {
  const { method, isCancelled, host, attendee, now, url, entries } = invitation;
  const organizer = toOrganizer(invitation.organizer);
  const calendar = ical({
    prodId: '//Foyer//Bookings//EN',
    method: ICalCalendarMethod[method],
  });
  for (const entry of entries) {
    calendar.createEvent({
      id: `${entry.id}@${host}`,
      sequence: entry.sequence,
      ...toCalendarTimes(entry.startsAt, entry.endsAt, entry.timeZone),
      stamp: now,
      summary: entry.summary,
      location: entry.place,
      organizer,
      // Published entries have no attendees (RFC 5546, 3.2.1). Others have accepted by booking, so that programs do not ask
      // for an answer that nobody reads.
      attendees:
        method === 'PUBLISH'
          ? []
          : [{ email: attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
      status: isCancelled ? ICalEventStatus.CANCELLED : toStatus(entry),
      ...(url === undefined ? {} : { url }),
    });
  }
  return calendar.toString();
}

const toStatus = ({ isPending }: InvitationEntry) =>
  isPending ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;

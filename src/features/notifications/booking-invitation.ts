import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { parseSender } from '../../integrations/email/sender.ts';

/** A booking as the calendar of its holder shows it. */
interface InvitationEntry {
  id: string;
  sequence: number;
  isPending: boolean;
  startsAt: Date;
  endsAt: Date;
  /** One line. */
  summary: string;
  place: string;
}

interface Invitation {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH';
  isCancelled: boolean;
  /** Makes the UIDs globally unique. They are the same as in calendar feeds. */
  host: string;
  /** The sender of emails: a name with an address, or an address. */
  organizer: string;
  /** The address of the holder. */
  attendee: string;
  now: Date;
  url: string | undefined;
  entries: InvitationEntry[];
}

/** Returns the method of a message. A request or a cancellation is about one UID (RFC 5546, 3.2), so a series is published. */
export function chooseMethod(bookings: number, isCancelled: boolean): Invitation['method'] {
  if (bookings > 1) return 'PUBLISH';
  return isCancelled ? 'CANCEL' : 'REQUEST';
}

/** Renders bookings as an iCalendar message (RFC 5546). Calendar programs add, move and remove single bookings by themselves. */
export function renderInvitation(invitation: Invitation): string {
  const { method, isCancelled, host, attendee, now, url, entries } = invitation;
  const { name, email } = parseSender(invitation.organizer);
  const calendar = ical({
    prodId: '//Foyer//Bookings//EN',
    method: ICalCalendarMethod[method],
  });
  for (const entry of entries) {
    calendar.createEvent({
      id: `${entry.id}@${host}`,
      sequence: entry.sequence,
      start: entry.startsAt,
      end: entry.endsAt,
      stamp: now,
      summary: entry.summary,
      location: entry.place,
      organizer: { name: name || email, email },
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

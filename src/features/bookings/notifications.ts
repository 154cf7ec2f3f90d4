import type { Context } from '../../context.ts';
import { formatTimeRange } from '../../core/time/format.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import type { Booking } from './types.ts';

const NOTICE_TEXTS = {
  cancelled: ['Your booking was cancelled', 'was cancelled'],
  moved: ['Your booking was rescheduled', 'was rescheduled'],
  confirmed: ['Your booking is confirmed', 'is confirmed'],
} as const;

export type BookingNotice = keyof typeof NOTICE_TEXTS;

/**
 * Emails the holder that someone else changed their booking. Sends nothing to members who made the change themselves or
 * to guests without an address. `bookings` is how many of the series changed.
 */
export async function notifyHolder(
  ctx: Context,
  booking: Booking,
  notice: BookingNotice,
  { bookings, reason }: { bookings: number; reason?: string | undefined },
): Promise<void> {
  const recipient = await findRecipient(ctx, booking);
  if (recipient === null) return;
  const [subject, change] = NOTICE_TEXTS[notice];
  const { resource, location, startsAt, endsAt } = booking;
  const when = formatTimeRange(Date.parse(startsAt), Date.parse(endsAt), location.timeZone);
  const others = bookings - 1;
  await enqueueEmail(ctx, {
    to: recipient.email,
    subject: `${subject}: ${resource.name}, ${when}`,
    ...renderEmail({
      greeting: formatGreeting(recipient.name),
      paragraphs: [
        `Your booking of ${resource.name} at ${location.name} ${change}.`,
        notice === 'moved' ? `New time: ${when}` : `Time: ${when}`,
        ...(others > 0
          ? [
              `This also applies to ${others} other ${others === 1 ? 'booking' : 'bookings'} in the series.`,
            ]
          : []),
        ...(reason ? [`Reason: ${reason}`] : []),
      ],
    }),
  });
}

async function findRecipient({ db, viewer }: Context, { member, guest }: Booking) {
  if (guest) return guest.email ? { name: guest.name, email: guest.email } : null;
  if (!member || (viewer.kind === 'member' && viewer.id === member.id)) return null;
  return db.member.findUnique({ where: { id: member.id }, select: { name: true, email: true } });
}

import type { Context } from '../../context.ts';
import { formatTimeRange } from '../../core/time/format.ts';
import { formatGreeting, renderEmail } from '../../integrations/email/layout.ts';
import { enqueueEmail } from '../../integrations/email/outbox.ts';
import type { Booking } from './types.ts';

const NOTICE_TEXTS = {
  cancelled: ['Your booking was cancelled', 'was cancelled'],
  moved: ['Your booking was moved', 'was moved to another time'],
  confirmed: ['Your booking is confirmed', 'is confirmed'],
} as const;

export type BookingNotice = keyof typeof NOTICE_TEXTS;

/**
 * Tells the holder by mail what somebody else did to their booking, and to how many more of its series. Who did it
 * themselves knows, and a guest without an address is told by nobody.
 */
export async function notifyHolder(
  ctx: Context,
  booking: Booking,
  notice: BookingNotice,
  { bookings, reason }: { bookings: number; reason?: string | undefined },
): Promise<void> {
  const holder = await findRecipient(ctx, booking);
  if (holder === null) return;
  const [subject, words] = NOTICE_TEXTS[notice];
  const { resource, location, startsAt, endsAt } = booking;
  const when = formatTimeRange(Date.parse(startsAt), Date.parse(endsAt), location.timeZone);
  const more = bookings > 1 ? ` The same goes for ${bookings - 1} more of the series.` : '';
  await enqueueEmail(ctx, {
    to: holder.email,
    subject: `${subject}: ${resource.name}, ${when}`,
    ...renderEmail({
      greeting: formatGreeting(holder.name),
      paragraphs: [
        `your booking of ${resource.name} at ${location.name} ${words}: ${when}.${more}`,
        ...(reason ? [`The reason: ${reason}`] : []),
      ],
    }),
  });
}

async function findRecipient({ db, viewer }: Context, { member, guest }: Booking) {
  if (guest) return guest.email ? { name: guest.name, email: guest.email } : null;
  if (!member || (viewer.kind === 'member' && viewer.id === member.id)) return null;
  return db.member.findUnique({ where: { id: member.id }, select: { name: true, email: true } });
}

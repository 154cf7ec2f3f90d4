import type { Ctx } from '../../../context.ts';
import { greetingTo, written } from '../../../mail/letter.ts';
import * as outbox from '../../../mail/outbox.ts';
import type { Booking } from '../booking.ts';
import { stretch } from '../policy/words.ts';

const WORDS = {
  cancelled: ['Your booking was cancelled', 'was cancelled'],
  moved: ['Your booking was moved', 'was moved to another time'],
  confirmed: ['Your booking is confirmed', 'is confirmed'],
} as const;

export type Notice = keyof typeof WORDS;

/**
 * Tells the holder by mail what somebody else did to their booking, and to how many more of its series. Who did it
 * themselves knows, and a guest without an address is told by nobody.
 */
export async function tellHolder(
  ctx: Ctx,
  booking: Booking,
  notice: Notice,
  { bookings, reason }: { bookings: number; reason?: string | undefined },
): Promise<void> {
  const holder = await addresseeOf(ctx, booking);
  if (holder === null) return;
  const [subject, words] = WORDS[notice];
  const { resource, location, startsAt, endsAt } = booking;
  const when = stretch(Date.parse(startsAt), Date.parse(endsAt), location.timeZone);
  const more = bookings > 1 ? ` The same goes for ${bookings - 1} more of the series.` : '';
  await outbox.send(ctx, {
    to: holder.email,
    subject: `${subject}: ${resource.name}, ${when}`,
    ...written({
      greeting: greetingTo(holder.name),
      paragraphs: [
        `your booking of ${resource.name} at ${location.name} ${words}: ${when}.${more}`,
        ...(reason ? [`The reason: ${reason}`] : []),
      ],
    }),
  });
}

async function addresseeOf({ db, viewer }: Ctx, { member, guest }: Booking) {
  if (guest) return guest.email ? { name: guest.name, email: guest.email } : null;
  if (!member || (viewer.kind === 'member' && viewer.id === member.id)) return null;
  return db.member.findUnique({ where: { id: member.id }, select: { name: true, email: true } });
}

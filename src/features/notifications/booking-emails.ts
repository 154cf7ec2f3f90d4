import type { Context } from '../../context.ts';
import { formatMoney, type Money } from '../../core/money.ts';
import { formatLongTimeRange } from '../../core/time/format.ts';
import type { ActorKind, MailPriority } from '../../db/generated/client.ts';
import type { TemplateKey, TemplateValues } from '../../integrations/email/template-catalog.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
  type TemplateEmail,
} from '../../integrations/email/template-email.ts';
import type { RecordedChange } from '../../journal/read-changes.ts';
import type { SpaceTexts } from '../../languages/emails/email-texts.ts';
import { formatPrice, type PriceTexts, readEmailTexts } from '../settings/service.ts';
import { renderBookingCalendar } from './booking-invitation.ts';
import {
  type BookingChange,
  type ChangedBooking,
  loadBookingChanges,
} from './load-booking-changes.ts';

type BookingTemplate = Exclude<
  Extract<TemplateKey, `booking-${string}`>,
  'booking-closure' | 'booking-reminder'
>;

/** The changes that are emailed to the holder of a booking, with the template. New bookings depend on their status. */
const TEMPLATES = {
  'booking.created': null,
  'booking.confirmed': 'booking-confirmed',
  'booking.rescheduled': 'booking-rescheduled',
  'booking.cancelled': 'booking-cancelled',
  'booking.no_show': 'booking-no-show',
} as const satisfies Record<string, BookingTemplate | null>;

export const BOOKING_EMAIL_TYPES = Object.keys(TEMPLATES) as (keyof typeof TEMPLATES)[];

const isCancellation = (template: BookingTemplate) =>
  template === 'booking-cancelled' || template === 'booking-no-show';

/**
 * Emails the holders of bookings about what happened, with a calendar entry, whoever made the change. A command on a series
 * is one email. Guests without an address get none.
 */
export async function sendBookingEmails(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const announced = (await loadBookingChanges(ctx, changes)).filter(isAnnounced);
  const names = await loadNames(
    ctx,
    announced.flatMap(({ bookings, replaced }) =>
      replaced?.resource_id === undefined
        ? bookings
        : [...bookings, { resource_id: replaced.resource_id, member_id: null }],
    ),
  );
  const texts = await readEmailTexts(ctx);
  const emails: TemplateEmail[] = [];
  for (const change of announced) {
    const email = await toEmail(ctx, texts, change, names);
    if (email !== null) emails.push(email);
  }
  await enqueueTemplateEmails(ctx, texts, emails);
}

/** Imported bookings exist elsewhere already, and staff can enter bookings afterwards. */
const isAnnounced = ({ type, at, bookings }: BookingChange) =>
  type !== 'booking.created' ||
  bookings.some(({ isImported, ends_at }) => !isImported && Date.parse(ends_at) > Date.parse(at));

/** Returns null if the holder has no address. */
async function toEmail(
  ctx: Context,
  texts: SpaceTexts,
  change: BookingChange,
  names: Names,
): Promise<TemplateEmail | null> {
  const { bookings } = change;
  const [first] = bookings;
  const resource = names.resources.get(first?.resource_id ?? '');
  if (first === undefined || resource === undefined) return null;
  const member = names.members.get(first.member_id ?? '');
  const to = member?.email ?? first.guest_email;
  if (to === null) return null;
  const template = chooseTemplate(change, first);
  const bookingsUrl = member && `${ctx.baseUrl}/my`;
  const attachment = await renderBookingCalendar(ctx, texts, {
    isCancelled: isCancellation(template),
    attendee: to,
    url: bookingsUrl,
    bookings: bookings.map((booking) => {
      const { name = '', location } = names.resources.get(booking.resource_id) ?? {};
      return {
        id: booking.id,
        startsAt: new Date(booking.starts_at),
        endsAt: new Date(booking.ends_at),
        isPending: booking.status === 'pending',
        resource: name,
        location: location?.name ?? '',
        address: location?.address ?? null,
        timeZone: location?.timeZone ?? 'UTC',
        // Anyone can have entered the title for a guest.
        title: member ? booking.title : null,
      };
    }),
  });
  return defineTemplateEmail(template, toValues(texts, change, resource, names), {
    to,
    priority: choosePriority(change.actorKind),
    attachments: [attachment],
    frame: {
      sender: resource.location.name,
      // Anyone can enter the name of a guest, for example on a website that books through an API token.
      recipientName: member?.name ?? null,
      actionUrl: bookingsUrl,
    },
  });
}

const chooseTemplate = ({ type }: BookingChange, { status }: ChangedBooking): BookingTemplate =>
  TEMPLATES[type as keyof typeof TEMPLATES] ??
  (status === 'pending' ? 'booking-requested' : 'booking-confirmed');

/** A token can book for any address, so its emails have a smaller budget. */
const choosePriority = (actor: ActorKind): MailPriority =>
  actor === 'token' || actor === 'anonymous' || actor === 'device' ? 'requested' : 'essential';

function toValues(
  texts: PriceTexts,
  { bookings, replaced }: BookingChange,
  { name, location }: NamedResource,
  { resources }: Names,
): TemplateValues<'booking-cancelled'> & TemplateValues<'booking-rescheduled'> {
  const { language } = texts;
  const [first] = bookings as [ChangedBooking, ...ChangedBooking[]];
  const formatTime = ({ starts_at, ends_at }: Pick<ChangedBooking, 'starts_at' | 'ends_at'>) =>
    formatLongTimeRange(Date.parse(starts_at), Date.parse(ends_at), location.timeZone, language);
  // Bookings of a series can have been moved to other resources.
  const isOfOneResource = bookings.every(({ resource_id }) => resource_id === first.resource_id);
  const times = bookings.map((booking) =>
    isOfOneResource
      ? formatTime(booking)
      : `${formatTime(booking)}, ${resources.get(booking.resource_id)?.name}`,
  );
  const sumAmounts = (toAmount: (booking: ChangedBooking) => number): Money | null => {
    const amount = bookings.reduce((sum, booking) => sum + toAmount(booking), 0);
    return amount === 0 ? null : { amount, currency: first.price_currency };
  };
  const [price, fee, due] = [
    sumAmounts((booking) => booking.price_amount),
    sumAmounts((booking) => booking.cancel_fee ?? 0),
    sumAmounts(toOpenAmount),
  ];
  return {
    resource: name,
    location: location.name,
    address: location.address,
    time: formatTime(first),
    times: times.length > 1 ? times : null,
    others: times.length > 1 ? String(times.length - 1) : null,
    title: first.title,
    price: price && formatPrice(texts, price),
    pending: bookings.some(({ status }) => status === 'pending') ? 'yes' : null,
    previous:
      bookings.length === 1 && (replaced?.starts_at || replaced?.ends_at)
        ? formatTime({ ...first, ...replaced })
        : null,
    previousResource: resources.get(replaced?.resource_id ?? '')?.name ?? null,
    reason: first.cancel_reason,
    fee: fee && formatMoney(fee, language),
    due: due && formatMoney(due, language),
  };
}

/** What is still to be paid of a booking, as `Booking.payment.open` was after the change. */
function toOpenAmount({
  status,
  price_amount,
  cancel_fee,
  paidAmount,
  tracksPayment,
}: ChangedBooking): number {
  if (status === 'pending' || !tracksPayment) return 0;
  const due = status === 'cancelled' ? (cancel_fee ?? 0) : price_amount;
  return Math.max(0, due - paidAmount);
}

type Names = Awaited<ReturnType<typeof loadNames>>;
type NamedResource = NonNullable<ReturnType<Names['resources']['get']>>;

async function loadNames(
  { db }: Context,
  bookings: Pick<ChangedBooking, 'resource_id' | 'member_id'>[],
) {
  const resourceIds = [...new Set(bookings.map(({ resource_id }) => resource_id))];
  const memberIds = [...new Set(bookings.flatMap(({ member_id }) => member_id ?? []))];
  const resources = await db.resource.findMany({
    where: { id: { in: resourceIds } },
    select: {
      id: true,
      name: true,
      location: { select: { name: true, address: true, timeZone: true } },
    },
  });
  const members = await db.member.findMany({
    where: { id: { in: memberIds } },
    select: { id: true, name: true, email: true },
  });
  return {
    resources: new Map(resources.map((resource) => [resource.id, resource])),
    members: new Map(members.map((member) => [member.id, member])),
  };
}

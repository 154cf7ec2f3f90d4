import { Temporal } from 'temporal-polyfill';
import {
  createEvent,
  publishEvent,
} from '../../../src/features/event-management/service/edit-event.ts';
import { createTicketType } from '../../../src/features/event-management/service/ticket-types.ts';
import { placeDayPassOrder } from '../../../src/features/orders/place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import { cancelOrderBySecret } from '../../../src/features/orders/service/cancel-order.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { TestService } from '../service.ts';
import { fromNow, morningZone } from './lighthouse.ts';

const HOUR = 60;
const BUYER = { name: 'Ida Rhodes', email: 'ida@example.org' };
const PRICE = { free: 0, paid: 2_000 };

/** Creates a location and the tickets, passes and bookings for every check-in result. */
export async function createCheckInFixtures({ ctx, prisma }: TestService) {
  const timeZone = morningZone();
  const location = await createLocation(ctx, { name: 'Pier', slug: 'pier', timeZone });
  const { id: locationId } = location;

  async function openEvent(title: string, startsIn: number, price: keyof typeof PRICE = 'free') {
    const times = { startsAt: fromNow(startsIn), endsAt: fromNow(startsIn + 2 * HOUR) };
    const summary = 'Boats, and who builds them.';
    const { id } = await createEvent(ctx, { title, summary, locationId, ...times });
    const amount = { amount: PRICE[price], currency: 'EUR' };
    const type = await createTicketType(ctx, { eventId: id, name: 'Seat', price: amount });
    await publishEvent(ctx, id);
    return { id, ticketTypeId: type.id };
  }
  async function order(event: { id: string; ticketTypeId: string }, quantity = 1) {
    const items = [{ ticketTypeId: event.ticketTypeId, quantity }];
    const { id, code, secret } = await placeTicketOrder(ctx, {
      event: event.id,
      buyer: BUYER,
      items,
    });
    const rows = await prisma.ticket.findMany({ where: { orderId: id } });
    return { code, secret: secret ?? '', tickets: rows.map(({ code }) => code) };
  }

  const now = await openEvent('Open boathouse', HOUR / 2);
  const good = await order(now);
  const ofTwo = await order(now, 2);
  const unpaid = await order(await openEvent('Captain’s dinner', HOUR / 2, 'paid'));
  const early = await order(await openEvent('Regatta', 3 * HOUR));
  const cancelled = await order(now);
  await cancelOrderBySecret(ctx, cancelled.secret, undefined);

  // Tickets of past events cannot be bought, so the event is moved to the past after the sale.
  const over = await openEvent('Early swim', HOUR);
  const late = await order(over);
  const times = { startsAt: fromNow(-3 * HOUR), endsAt: fromNow(-HOUR) };
  await prisma.event.update({ where: { id: over.id }, data: times });

  const { id: dayPassTypeId } = await prisma.dayPassType.create({
    data: { locationId, name: 'Day on deck', priceAmount: 0 },
  });
  const tomorrow = Temporal.Now.plainDateISO(timeZone).add({ days: 1 }).toString();
  const passes = await placeDayPassOrder(ctx, { buyer: BUYER, dayPassTypeId, validOn: tomorrow });

  const paused = { name: 'Mary Ward', email: 'mary@example.org', code: 'MRY2345678' };
  await prisma.member.create({ data: { ...paused, status: 'paused' } });

  const first = ({ tickets: [code = ''] }: { tickets: string[] }) => code;
  return {
    path: '/kiosk/pier',
    codes: {
      good: first(good),
      another: first(ofTwo),
      ofTwo: ofTwo.code,
      unpaid: first(unpaid),
      cancelled: first(cancelled),
      early: first(early),
      passOfTomorrow: passes.dayPasses[0]?.code ?? '',
      late: first(late),
      paused: paused.code,
    },
    /** Sets the capacity to one, so that the location is full. */
    fill: () => prisma.location.update({ where: { id: locationId }, data: { capacity: 1 } }),
  };
}

import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { toDate } from './calendar.ts';
import type { DemoSpaces } from './locations.ts';
import { currentEvents, type DemoEvent, pastEvents } from './past-events.ts';
import { upcomingEvents } from './upcoming-events.ts';

export async function addEvents(ctx: Context, spaces: DemoSpaces): Promise<void> {
  const rows = [...pastEvents, ...currentEvents, ...upcomingEvents].map((event) =>
    toEventRows(event, spaces),
  );
  await ctx.db.event.createMany({ data: rows.map(({ row }) => row) });
  await ctx.db.ticketType.createMany({ data: rows.flatMap(({ ticketRows }) => ticketRows) });
}

function toEventRows(event: DemoEvent, spaces: DemoSpaces) {
  const { id: locationId, calendar } = spaces.locations[event.location];
  const startsAt = calendar.at(event.day, event.from);
  const createdAt = toDate(startsAt.subtract({ weeks: 8 }));
  const toDaysBefore = (days: number | undefined) =>
    days === undefined ? null : toDate(startsAt.subtract({ days }));

  const row = {
    id: v7(),
    slug: event.slug,
    title: event.title,
    summary: event.summary,
    description: event.description ?? null,
    status: event.status ?? 'published',
    visibility: event.visibility ?? 'public',
    locationId,
    resourceId: event.resource ? spaces.resources[event.resource].id : null,
    startsAt: toDate(startsAt),
    endsAt: toDate(calendar.at(event.day, event.to)),
    tags: event.tags,
    refundHours: 48,
    publishedAt: event.status === 'draft' ? null : createdAt,
    ...(event.status === 'cancelled'
      ? { cancelledAt: toDate(startsAt.subtract({ weeks: 3 })), cancelReason: event.summary }
      : {}),
    capacity: event.capacity,
    reservedCount: event.tickets.reduce((sum, ticket) => sum + ticket.sold, 0),
    createdAt,
    updatedAt: createdAt,
  };
  const ticketRows = event.tickets.map((ticket, position) => ({
    id: v7(),
    eventId: row.id,
    name: ticket.name,
    position,
    priceAmount: ticket.price,
    priceCurrency: 'EUR',
    quantity: ticket.quantity,
    reservedCount: ticket.sold,
    salesStartAt: toDaysBefore(ticket.onSale?.opens),
    salesEndAt: toDaysBefore(ticket.onSale?.closes),
    createdAt,
    updatedAt: createdAt,
  }));
  return { row, ticketRows };
}

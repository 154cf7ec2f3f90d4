import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import type { Prisma } from '../db/generated/client.ts';
import { pastEvents } from './past-events.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** The other guests with a ticket did not come. */
const ATTENDANCE = 0.86;
/** When guests arrive, relative to the start of the event. */
const ARRIVAL_MINUTES = [-20, -14, -11, -8, -6, -4, -3, -1, 2, 5, 9, 18, 35];
/** How long guests stay who leave before the end. */
const STAY_MINUTES = [40, 55, 70, 85, 110, 140, 190];
const STAYS_TO_THE_END = 0.4;

/** Creates the check-ins with tickets of the events of the past weeks. */
export async function addEventCheckIns({ db }: Context): Promise<void> {
  const tickets = await db.ticket.findMany({
    where: { status: 'valid', event: { slug: { in: pastEvents.map(({ slug }) => slug) } } },
    include: { event: true },
    orderBy: { code: 'asc' },
  });
  const random = createSeededRandom(1_973);
  const attended = tickets.filter(() => random.chance(ATTENDANCE));
  await db.checkIn.createMany({ data: attended.map((ticket) => toCheckInRow(ticket, random)) });
}

function toCheckInRow(
  { id, attendeeName, event }: Prisma.TicketGetPayload<{ include: { event: true } }>,
  random: SeededRandom,
): Prisma.CheckInCreateManyInput {
  const at = addMinutes(event.startsAt, random.pick(ARRIVAL_MINUTES));
  const leftAt = addMinutes(at, random.pick(STAY_MINUTES));
  const staysToTheEnd = random.chance(STAYS_TO_THE_END) || leftAt >= event.endsAt;
  return {
    id: v7(),
    locationId: event.locationId,
    result: 'admitted',
    subject: 'ticket',
    label: attendeeName,
    ticketId: id,
    occurredAt: at,
    createdAt: at,
    autoCheckOutAt: event.endsAt,
    checkedOutAt: staysToTheEnd ? event.endsAt : leftAt,
    autoCheckedOut: staysToTheEnd,
    actor: 'anonymous',
  };
}

const addMinutes = (at: Date, minutes: number) => new Date(at.getTime() + minutes * MINUTE_MS);

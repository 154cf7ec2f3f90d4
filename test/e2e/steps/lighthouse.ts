import type { Page } from 'playwright-core';
import {
  createEvent,
  publishEvent,
} from '../../../src/features/event-management/service/edit-event.ts';
import { createTicketType } from '../../../src/features/event-management/service/ticket-types.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { TestService } from '../service.ts';
import type { Stage } from '../stage.ts';

export const PLACE = 'Lighthouse';
export const GRACE = { name: 'Grace Hopper', email: 'grace@example.org', code: 'GRC2345678' };
export const LINUS = { name: 'Linus Pauling', email: 'linus@example.org', code: 'LNS2345678' };
const MINUTE = 60_000;

export const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

const ZONES = [
  ...['Pacific/Auckland', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Dubai', 'Europe/Berlin'],
  ...['Atlantic/Azores', 'America/Sao_Paulo', 'America/New_York', 'America/Denver'],
  ...['Pacific/Honolulu'],
];

/** Returns a time zone in which it is about 10:00 now, so that the steps stay within one day whenever they run. */
export function morningZone(): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
  const fromTen = (zone: string) => Math.abs(hourIn(zone) - 10);
  return ZONES.reduce((best, zone) => (fromTen(zone) < fromTen(best) ? zone : best));
}

/** Creates a location with two rooms, two members, a current booking and an event that starts soon, or returns the existing one. */
export async function getLighthouse({ ctx, prisma }: TestService) {
  const known = await prisma.location.findUnique({
    where: { slug: 'lighthouse' },
    include: { resources: true },
  });
  if (known) return known;
  const { id: locationId } = await createLocation(ctx, {
    name: PLACE,
    slug: 'lighthouse',
    timeZone: morningZone(),
    capacity: 20,
    memberAdmission: 'all',
    memberBookingsOnDisplays: 'title',
  });
  const rooms = ['Map room', 'Attic'].map((name) => ({
    name,
    slug: name.toLowerCase().replace(' ', '-'),
    type: 'room' as const,
    capacity: 6,
    locationId,
  }));
  await prisma.resource.createMany({ data: rooms });
  await prisma.member.createMany({ data: [GRACE, LINUS] });
  await book({ prisma } as TestService, 'Map room', 'Chart review', -15, 45, GRACE.email);

  const { id: eventId } = await createEvent(ctx, {
    title: 'Evening talk',
    slug: 'evening-talk',
    summary: 'A harbor master explains how ports work.',
    locationId,
    startsAt: fromNow(30),
    endsAt: fromNow(120),
  });
  const free = { amount: 0, currency: 'EUR' };
  const seat = await createTicketType(ctx, { eventId, name: 'Seat', price: free });
  await publishEvent(ctx, eventId);
  await placeTicketOrder(ctx, {
    event: eventId,
    buyer: { name: 'Tom Kelly', email: 'tom@example.org' },
    items: [{ ticketTypeId: seat.id, quantity: 2 }],
  });
  return await prisma.location.findUniqueOrThrow({
    where: { slug: 'lighthouse' },
    include: { resources: true },
  });
}

/** Creates enough events to fill a screen. */
export async function createMoreEvents({ ctx }: TestService, locationId: string) {
  for (let day = 1; day < 12; day += 1) {
    const { id: eventId } = await createEvent(ctx, {
      title: day % 2 ? `Breakfast of week ${day}` : `Evening class ${day}`,
      summary: 'Bring a friend who has never been here.',
      locationId,
      startsAt: fromNow(day * 1440),
      endsAt: fromNow(day * 1440 + 90),
    });
    await createTicketType(ctx, { eventId, name: 'Seat', price: { amount: 0, currency: 'EUR' } });
    await publishEvent(ctx, eventId);
  }
}

/** Creates a booking. Times are in minutes from now. */
export async function book(
  { prisma }: TestService,
  room: string,
  title: string,
  from: number,
  to: number,
  email: string,
) {
  const { id: resourceId, locationId } = await prisma.resource.findFirstOrThrow({
    where: { name: room },
  });
  const { id: memberId } = await prisma.member.findUniqueOrThrow({ where: { email } });
  const times = { startsAt: fromNow(from), endsAt: fromNow(to), occupiedUntil: fromNow(to) };
  return await prisma.booking.create({
    data: { resourceId, locationId, memberId, title, ...times },
  });
}

export const ticketCodes = async ({ prisma }: TestService) =>
  (
    await prisma.ticket.findMany({
      where: { event: { slug: 'evening-talk' } },
      orderBy: { id: 'asc' },
    })
  ).map(({ code }) => code);

/** Opens a page of the panel and signs in if necessary. */
export async function openPanel({ page, panel, signIn }: Stage, path: string): Promise<Page> {
  await page.goto(panel(path));
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  if ((await heading.textContent()) === 'Sign in') {
    await signIn(page);
    await heading.filter({ hasNotText: 'Sign in' }).waitFor();
  }
  return page;
}

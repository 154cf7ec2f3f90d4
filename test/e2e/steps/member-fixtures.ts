import assert from 'node:assert/strict';
import { createBooking } from '../../../src/features/bookings/service/create-booking.ts';
import { createMember } from '../../../src/features/members/service/members.ts';
import { createMembership } from '../../../src/features/plans/service/memberships.ts';
import { createPlan } from '../../../src/features/plans/service/plans.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import { createResource } from '../../../src/features/spaces/service/resources.ts';
import { parseWallClock } from '../../../src/web/components/wall-clock.ts';
import type { TestService } from '../service.ts';

export const MIA = { name: 'Mia', email: 'mia@example.org' };

/** Creates a room with an hourly price, and a member whose plan includes one hour. */
export async function createMemberFixtures({ ctx }: TestService) {
  const place = await createLocation(ctx, {
    name: 'Harbour house',
    slug: 'harbour-house',
    timeZone: 'Europe/Berlin',
    address: 'Am Hafen 3, 20457 Hamburg',
  });
  const room = await createResource(ctx, {
    name: 'Harbour room',
    slug: 'harbour-room',
    type: 'room',
    locationId: place.id,
    capacity: 6,
    amenities: ['screen', 'whiteboard'],
    pricePerHour: { amount: 2000, currency: 'EUR' },
    gridMinutes: 60,
    minMinutes: 60,
    maxMinutes: 240,
    daysAhead: 400,
    freeCancellationHours: 4,
  });
  const { id: planId } = await createPlan(ctx, {
    name: 'Nomad',
    price: { amount: 9900, currency: 'EUR' },
    interval: 'month',
    benefits: [{ resourceType: 'room', includedHours: 1, discountPercent: 25, limitHours: null }],
  });
  const member = await createMember(ctx, MIA);
  await createMembership(ctx, { planId, memberId: member.id, startsOn: '2020-01-01' });
  return { member: member.id, room: room.id, place: place.id };
}

/** Reads the link from the stored email, since no mail server is configured. */
export async function findSignInLink({ prisma }: TestService, recipient: string): Promise<string> {
  const { text } = await prisma.mail.findFirstOrThrow({
    where: { recipient, text: { contains: '/my/sign-in#' } },
    orderBy: { createdAt: 'desc' },
  });
  const [link] = text.match(/http\S+\/my\/sign-in#\S+/) ?? [];
  assert(link, 'the email has no sign-in link');
  return link;
}

/** Books for a guest, as the front desk would. */
export async function bookForGuest(
  { ctx }: TestService,
  resourceId: string,
  hour: number,
  hours: number,
) {
  const startsAt = new Date(parseWallClock(tomorrow(), `${hour}:00`, 'Europe/Berlin') ?? '');
  await createBooking(ctx, {
    resourceId,
    guest: { name: 'Gus' },
    startsAt,
    endsAt: new Date(startsAt.getTime() + hours * 3_600_000),
  });
}

/** Returns the next day on which clocks go back in Berlin: the last Sunday of October. */
export function findClockChange(): string {
  const year = new Date().getUTCFullYear();
  const days = [year, year + 1].map((year) => {
    const last = new Date(Date.UTC(year, 9, 31));
    return new Date(Date.UTC(year, 9, 31 - last.getUTCDay())).toISOString().slice(0, 10);
  });
  return days.find((day) => day > tomorrow()) ?? '';
}

const tomorrow = () => toDateInBerlin(1);

/** Returns the date in Berlin in this many days. */
export const toDateInBerlin = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' });

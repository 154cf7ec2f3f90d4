import { createBooking } from '../../../src/features/bookings/service/create-booking.ts';
import { createDayPassType } from '../../../src/features/day-passes/service/manage-types.ts';
import { createAnnouncement } from '../../../src/features/displays/announcements/service.ts';
import { createDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { createEvent } from '../../../src/features/event-management/service/edit-event.ts';
import { createTicketType } from '../../../src/features/event-management/service/ticket-types.ts';
import { createMember } from '../../../src/features/members/service/members.ts';
import { createMembership } from '../../../src/features/plans/service/memberships.ts';
import { createPlan } from '../../../src/features/plans/service/plans.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import { createResource } from '../../../src/features/spaces/service/resources.ts';
import { closeDay } from '../../../src/features/takings/service/closings.ts';
import { createTeam } from '../../../src/features/teams/service.ts';
import { createWebhook } from '../../../src/features/webhooks/service/endpoints.ts';
import type { TestService } from '../service.ts';
import { toDateInBerlin } from '../steps/member-fixtures.ts';

/** The days from now on which the booking and the event take place. */
const BOOKING_DAYS = 3;
const EVENT_DAYS = 20;

const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' });

const toInstant = (days: number, hour: number) =>
  new Date(`${toDateInBerlin(days)}T${String(hour).padStart(2, '0')}:00:00Z`);

/** Creates one row for each form of the panel that changes rows. */
export async function createEditedRows({ ctx }: TestService) {
  const location = await createLocation(ctx, {
    name: 'Twin house',
    slug: 'twin-house',
    timeZone: 'Europe/Berlin',
  });
  const { id: locationId } = location;
  const { id: quietLocationId } = await createLocation(ctx, {
    name: 'Quiet house',
    slug: 'quiet-house',
    timeZone: 'Europe/Berlin',
  });
  const resource = await createResource(ctx, {
    name: 'Twin room',
    slug: 'twin-room',
    type: 'room',
    locationId,
    capacity: 4,
    pricePerHour: euros(10),
  });
  const terms = { price: euros(100), interval: 'month' as const, benefits: [] };
  const plan = await createPlan(ctx, { name: 'Twin plan', ...terms });
  await createPlan(ctx, { name: 'Other twin plan', ...terms });
  const member = await createMember(ctx, { name: 'Tess Twin', email: 'tess@example.org' });
  await createMembership(ctx, { planId: plan.id, memberId: member.id, startsOn: '2026-01-01' });
  const { id: bookingId } = await createBooking(ctx, {
    resourceId: resource.id,
    guest: { name: 'Theo Twin' },
    startsAt: toInstant(BOOKING_DAYS, 9),
    endsAt: toInstant(BOOKING_DAYS, 10),
  });
  const event = await createEvent(ctx, {
    title: 'Twin evening',
    locationId,
    startsAt: toInstant(EVENT_DAYS, 17),
    endsAt: toInstant(EVENT_DAYS, 19),
  });
  await createTicketType(ctx, { eventId: event.id, name: 'Twin ticket', price: euros(5) });
  await createDayPassType(ctx, { locationId, name: 'Twin pass', price: euros(15) });
  await createDisplay(ctx, { locationId, name: 'Twin display', kind: 'event_board' });
  await createAnnouncement(ctx, { locationId, title: 'Twin announcement' });
  await createTeam(ctx, { name: 'Twin team' });
  const day = toDateInBerlin(0);
  await closeDay(ctx, { locationId, day, opening: euros(10), counted: euros(10), note: null });
  const { webhook } = await createWebhook(ctx, {
    url: 'https://example.org/hooks',
    events: ['display.offline'],
  });
  return {
    ...{ locationId, resourceId: resource.id, planId: plan.id, memberId: member.id, bookingId },
    ...{ eventId: event.id, webhookId: webhook.id, quietLocationId },
    bookingDay: toDateInBerlin(BOOKING_DAYS),
  };
}

export type EditedRows = Awaited<ReturnType<typeof createEditedRows>>;

import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { defineTool, pageInput, toToolObject } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import {
  availabilityArgs,
  bookingFilter,
  bookingIdInput,
  cancelBookingInput,
  createBookingInput,
  previewRescheduleArgs,
  rescheduleBookingInput,
} from './inputs.ts';
import { findAvailability } from './service/availability.ts';
import { cancelBooking, confirmBooking } from './service/change-booking.ts';
import { createBooking, previewBooking } from './service/create-booking.ts';
import { getBooking, listBookingsJson } from './service/list-bookings.ts';
import { previewReschedule, rescheduleBooking } from './service/reschedule-booking.ts';
import type { Booking } from './types.ts';

const HOLDER = 'Either this or guest';
const OVERRIDE = 'Ignore overridable rules';

const bookingInput = toRestSchema(createBookingInput, { memberId: HOLDER, override: OVERRIDE });

const MAX_SLOTS_PER_RESOURCE = 100;
const MAX_RESOURCES = 10;
/** The same as in GraphQL. */
const AVAILABILITY_POINTS = 750;

export const tools = [
  defineTool({
    name: 'find_free_slots',
    description:
      'Find bookable slots and prices, for a resource or for those that match. At most 31 days, 10 resources and 100 slots of each.',
    access: 'spaces:read',
    effect: 'read',
    points: AVAILABILITY_POINTS,
    input: toRestSchema(
      availabilityArgs
        .pick({
          from: true,
          to: true,
          resourceId: true,
          locationId: true,
          type: true,
          capacity: true,
          amenities: true,
          memberId: true,
        })
        .extend({ minutes: availabilityArgs.shape.minutes.unwrap() }),
      {
        from: 'Default: now',
        to: 'Default: a week later',
        capacity: 'At least',
        minutes: 'Length of the booking',
        memberId: "Shows this member's prices",
      },
    ),
    handler: async (ctx, { resourceId, from, to, minutes, memberId, ...filter }) => {
      const period = { from, to, minutes, memberId };
      const ids = resourceId ? [resourceId] : undefined;
      const found = await findAvailability(ctx, { ...filter, ids }, period, {
        isOneRequested: ids !== undefined,
      });
      const resources = found.slice(0, MAX_RESOURCES).map(({ resource, slots }) => {
        const all = slots();
        return {
          resource,
          slots: all
            .slice(0, MAX_SLOTS_PER_RESOURCE)
            .map(({ startsAt, endsAt, localStart, price }) => ({
              starts_at: startsAt,
              ends_at: endsAt,
              local_start: localStart,
              price,
            })),
          more: all.length > MAX_SLOTS_PER_RESOURCE,
        };
      });
      return { resources, more: found.length > MAX_RESOURCES };
    },
  }),
  defineTool({
    name: 'preview_booking',
    description:
      'Dry run of create_booking: whether it is allowed, why not, the price, and alternatives.',
    access: 'spaces:read',
    effect: 'read',
    input: bookingInput,
    handler: async (ctx, input) => toToolObject({ preview: await previewBooking(ctx, input) }),
  }),
  defineTool({
    name: 'list_bookings',
    description: 'List bookings that overlap [from, to), by start.',
    access: 'bookings:read',
    effect: 'read',
    input: toRestSchema(
      bookingFilter
        .pick({
          from: true,
          to: true,
          resourceId: true,
          locationId: true,
          memberId: true,
          status: true,
          payment: true,
        })
        .extend(pageInput),
    ),
    handler: async (ctx, { limit, cursor, ...filter }) => {
      const page = await listBookingsJson(ctx, filter, { limit, cursor });
      return { bookings: JSON.parse(page.json), next_cursor: page.nextCursor };
    },
  }),
  defineTool({
    name: 'get_booking',
    description: 'Get a booking.',
    access: 'bookings:read',
    effect: 'read',
    input: toRestSchema(bookingIdInput),
    handler: async (ctx, { id }) => toBookingResult(await getBooking(ctx, id)),
  }),
  defineTool({
    name: 'create_booking',
    description: 'Book a resource for a member or a guest.',
    access: 'bookings:write',
    effect: 'write',
    input: bookingInput,
    handler: async (ctx, input) => toBookingResult(await createBooking(ctx, input)),
  }),
  defineTool({
    name: 'preview_reschedule',
    description: 'Dry run of reschedule_booking.',
    access: 'bookings:write',
    effect: 'read',
    input: toRestSchema(previewRescheduleArgs, { override: OVERRIDE }),
    handler: async (ctx, { id, ...move }) =>
      toToolObject({ preview: await previewReschedule(ctx, id, move) }),
  }),
  defineTool({
    name: 'reschedule_booking',
    description: 'Move a booking to other times or another resource of its location.',
    access: 'bookings:write',
    effect: 'destructive',
    input: toRestSchema(rescheduleBookingInput, {
      resourceId: 'Default: the same',
      override: OVERRIDE,
      scope: 'Of a series',
    }),
    handler: async (ctx, { id, ...move }) =>
      toBookingResult(await rescheduleBooking(ctx, id, move)),
  }),
  defineTool({
    name: 'cancel_booking',
    description: 'Cancel a booking. A late cancellation costs a fee.',
    access: 'bookings:write',
    effect: 'destructive',
    input: toRestSchema(cancelBookingInput, {
      reason: 'Shown to the holder',
      scope: 'Of a series',
    }),
    handler: async (ctx, { id, ...options }) =>
      toBookingResult(await cancelBooking(ctx, id, options)),
  }),
  defineTool({
    name: 'confirm_booking',
    description: 'Approve a pending booking.',
    access: 'bookings:write',
    effect: 'write',
    input: toRestSchema(z.object({ id: uuid })),
    handler: async (ctx, { id }) => toBookingResult(await confirmBooking(ctx, id)),
  }),
];

const toBookingResult = ({ updatedAt: _, ...booking }: Booking) => toToolObject({ booking });

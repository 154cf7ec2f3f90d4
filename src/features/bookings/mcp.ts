import { z } from 'zod';
import { defineTool, pageInput, toToolObject } from '../../mcp/tool.ts';
import { toRestSchema } from '../../rest/input-schema.ts';
import { resourceTypes } from '../spaces/rows.ts';
import {
  availabilityArgs,
  bookingFilter,
  bookingIdInput,
  cancelBookingInput,
  confirmBookingInput,
  createBookingInput,
  createBookingSeriesInput,
  previewRescheduleArgs,
  rescheduleBookingInput,
} from './inputs.ts';
import { toBookingJson } from './rest-object.ts';
import { findAvailability } from './service/availability.ts';
import { cancelBooking, confirmBooking } from './service/change-booking.ts';
import { createBooking, previewBooking } from './service/create-booking.ts';
import { createBookingSeries, previewBookingSeries } from './service/create-series.ts';
import { getBooking, listBookingsJson } from './service/list-bookings.ts';
import { previewReschedule, rescheduleBooking } from './service/reschedule-booking.ts';
import type { Booking } from './types.ts';

const HOLDER = 'Either this or guest';
const OVERRIDE = 'Ignore overridable rules';

const bookingInput = toRestSchema(createBookingInput, { memberId: HOLDER, override: OVERRIDE });

// More would fill the context of an agent, which can ask for a shorter period or another resource.
const MAX_RESOURCES = 10;
const MAX_FREE_TIMES = 50;
const MAX_SLOTS = 10;
const DEFAULT_SLOTS = 3;
const seriesInput = toRestSchema(createBookingSeriesInput, {
  memberId: HOLDER,
  override: OVERRIDE,
  rule: 'RRULE with COUNT or UNTIL, such as FREQ=WEEKLY;COUNT=10',
  exdates: 'Starts to skip',
});

/** What availability and series cost in GraphQL. */
const SERIES_POINTS = 750;

export const tools = [
  defineTool({
    name: 'find_free_slots',
    description:
      'Find when resources are free within at most 31 days, and the first bookable slots of each with prices. At most 10 resources.',
    access: 'spaces:read',
    effect: 'read',
    points: SERIES_POINTS,
    input: toRestSchema(
      availabilityArgs
        .pick({
          from: true,
          to: true,
          resourceId: true,
          locationId: true,
          capacity: true,
          amenities: true,
          memberId: true,
        })
        .extend({
          type: resourceTypes.optional(),
          minutes: availabilityArgs.shape.minutes.unwrap(),
          slotsPerResource: z.int().min(1).max(MAX_SLOTS).default(DEFAULT_SLOTS),
        }),
      {
        from: 'Default: now',
        to: 'Default: a week later',
        capacity: 'At least',
        minutes: 'Length of the booking',
        memberId: "Shows this member's prices",
      },
    ),
    handler: async (ctx, input) => {
      const { resourceId, from, to, minutes, memberId, slotsPerResource, type, ...filter } = input;
      const period = { from, to, minutes, memberId };
      const ids = resourceId ? [resourceId] : undefined;
      const found = await findAvailability(ctx, { ...filter, ids, types: type }, period, {
        isOneRequested: ids !== undefined,
      });
      const resources = found.slice(0, MAX_RESOURCES).map(async (availability) => {
        const slots = availability.slots().slice(0, slotsPerResource);
        return {
          resource: availability.resource,
          free: availability.free().slice(0, MAX_FREE_TIMES),
          slots,
          ...(slots.length === 0 && {
            emptyReason: availability.emptyReason(),
            nextFreeOn: await availability.nextFreeOn(),
          }),
        };
      });
      return toToolObject({
        resources: await Promise.all(resources),
        hasMoreResources: found.length > MAX_RESOURCES,
      });
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
    name: 'preview_booking_series',
    description: 'Dry run of create_booking_series, with the conflicts.',
    access: 'spaces:read',
    effect: 'read',
    points: SERIES_POINTS,
    input: seriesInput,
    handler: async (ctx, input) =>
      toToolObject({ preview: await previewBookingSeries(ctx, input) }),
  }),
  defineTool({
    name: 'create_booking_series',
    description: 'Book a repeating series.',
    access: 'bookings:write',
    effect: 'write',
    points: SERIES_POINTS,
    input: seriesInput,
    handler: async (ctx, input) => {
      const { id, rule, bookings, conflicts } = await createBookingSeries(ctx, input);
      const booked = bookings.map(({ id, startsAt, endsAt }) => ({ id, startsAt, endsAt }));
      return toToolObject({ series: { id, rule, bookings: booked, conflicts } });
    },
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
    input: toRestSchema(confirmBookingInput.pick({ id: true })),
    handler: async (ctx, { id }) => toBookingResult(await confirmBooking(ctx, id)),
  }),
];

const toBookingResult = (booking: Booking) => ({ booking: toBookingJson(booking) });

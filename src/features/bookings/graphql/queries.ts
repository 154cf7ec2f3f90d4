import './change-booking.ts';
import './booking.ts';
import './create-series.ts';
import { z } from 'zod';
import { boundedText, omitNull, parseQuery } from '../../../core/validation.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { paginateFilteredField, toStartPosition } from '../../../graphql/connections.ts';
import { Resource, ResourceType } from '../../spaces/graphql.ts';
import { RESOURCE_TYPES } from '../../spaces/types.ts';
import {
  type Availability,
  findAvailability,
  type PricedSlot as PricedSlotValue,
} from '../queries/availability.ts';
import { getBooking, listBookings } from '../queries/list-bookings.ts';
import { BOOKING_STATUSES } from '../types.ts';
import { Booking, BookingStatus, Slot } from './booking.ts';

const READ = { access: 'bookings:read' } as const;

const BookingFilter = builder.inputType('BookingFilter', {
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Bookings that end later than this' }),
    to: t.field({ type: 'DateTime', description: 'Bookings that start earlier than this' }),
    resourceId: t.id(),
    locationId: t.id(),
    memberId: t.id(),
    seriesId: t.id(),
    status: t.field({ type: BookingStatus }),
  }),
});

const bookingFilter = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  resourceId: z.uuid().optional(),
  locationId: z.uuid().optional(),
  memberId: z.uuid().optional(),
  seriesId: z.uuid().optional(),
  status: z.enum(BOOKING_STATUSES).optional(),
});

builder.queryField('bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'By start. Members see their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }) },
    ...paginateFilteredField(bookingFilter, listBookings, toStartPosition),
  }),
);

builder.queryField('booking', (t) =>
  t.field({
    type: Booking,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getBooking(ctx, id),
  }),
);

const PricedSlot = builder.objectRef<PricedSlotValue>('PricedSlot');
PricedSlot.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    localStart: t.exposeString('localStart', {
      description:
        "By the location's clocks, with the offset from UTC, which tells apart what they show twice",
    }),
    price: t.expose('price', { type: Money, description: 'If it were booked alone' }),
  }),
});

const ResourceAvailability = builder.objectRef<Availability>('ResourceAvailability');
ResourceAvailability.implement({
  fields: (t) => ({
    resource: t.expose('resource', { type: Resource }),
    free: t.field({
      type: [Slot],
      description:
        'While the location is open and nothing stands in the way, whether or not it may still be booked',
      resolve: (found) => found.free(),
    }),
    slots: t.field({
      type: [PricedSlot],
      description: 'Every start at which a booking of so many minutes can be had',
      resolve: (found) => found.slots(),
    }),
  }),
});

/** Two of them in one request, no more. */
const AVAILABILITY_COMPLEXITY = 2_400;

const availabilityArgs = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  minutes: z.int().min(1).max(44_640).optional(),
  resourceId: z.uuid().optional(),
  resourceIds: z.array(z.uuid()).max(100).optional(),
  locationId: z.uuid().optional(),
  type: z.enum(RESOURCE_TYPES).optional(),
  capacity: z.int().min(1).optional(),
  amenities: z.array(boundedText(100)).max(20).optional(),
  memberId: z.uuid().optional(),
});

builder.queryField('availability', (t) =>
  t.field({
    type: [ResourceAvailability],
    description: 'What can be booked, at most 100 resources by name, within at most 31 days',
    authScopes: { access: 'spaces:read' },
    complexity: AVAILABILITY_COMPLEXITY,
    args: {
      from: t.arg({ type: 'DateTime', description: 'Now, if left out' }),
      to: t.arg({ type: 'DateTime', description: 'A week after from, if left out' }),
      minutes: t.arg.int({ description: "The slots' length; else each resource's shortest" }),
      resourceId: t.arg.id(),
      resourceIds: t.arg.idList(),
      locationId: t.arg.id(),
      type: t.arg({ type: ResourceType }),
      capacity: t.arg.int({ description: 'For at least so many people' }),
      amenities: t.arg.stringList({ description: 'With all of them' }),
      memberId: t.arg.id({ description: 'Whose prices; needs members:read' }),
    },
    resolve: (_, given, { ctx }) => {
      const { from, to, minutes, memberId, resourceId, resourceIds, ...filter } = parseQuery(
        availabilityArgs,
        omitNull(given),
      );
      const ids = resourceId ? [resourceId, ...(resourceIds ?? [])] : resourceIds;
      return findAvailability(ctx, { ids, ...filter }, { from, to, minutes, memberId });
    },
  }),
);

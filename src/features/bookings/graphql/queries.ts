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
    from: t.field({ type: 'DateTime', description: 'Only bookings that end after this' }),
    to: t.field({ type: 'DateTime', description: 'Only bookings that start before this' }),
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
    description: 'Bookings, sorted by start. Members see only their own.',
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
      description: 'In the time zone of the location, with the UTC offset',
    }),
    price: t.expose('price', { type: Money, description: 'The price of booking this slot alone' }),
  }),
});

const ResourceAvailability = builder.objectRef<Availability>('ResourceAvailability');
ResourceAvailability.implement({
  fields: (t) => ({
    resource: t.expose('resource', { type: Resource }),
    free: t.field({
      type: [Slot],
      description:
        'When the location is open and the resource is not occupied, whether or not booking rules allow a booking',
      resolve: (availability) => availability.free(),
    }),
    slots: t.field({
      type: [PricedSlot],
      description: 'All slots of the requested length that can be booked',
      resolve: (availability) => availability.slots(),
    }),
  }),
});

/** High enough that one request can contain at most two. */
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
    description:
      'Free slots and their prices, for at most 100 resources, sorted by name, within at most 31 days',
    authScopes: { access: 'spaces:read' },
    complexity: AVAILABILITY_COMPLEXITY,
    args: {
      from: t.arg({ type: 'DateTime', description: 'Default: now' }),
      to: t.arg({ type: 'DateTime', description: 'Default: a week after from' }),
      minutes: t.arg.int({
        description: 'The length of the slots. Default: the shortest booking of each resource',
      }),
      resourceId: t.arg.id(),
      resourceIds: t.arg.idList(),
      locationId: t.arg.id(),
      type: t.arg({ type: ResourceType }),
      capacity: t.arg.int({ description: 'Only resources for at least this many people' }),
      amenities: t.arg.stringList({ description: 'Only resources with all of these' }),
      memberId: t.arg.id({
        description: 'Quote the prices of this member. Requires members:read.',
      }),
    },
    resolve: (_, args, { ctx }) => {
      const { from, to, minutes, memberId, resourceId, resourceIds, ...filter } = parseQuery(
        availabilityArgs,
        omitNull(args),
      );
      const ids = resourceId ? [resourceId, ...(resourceIds ?? [])] : resourceIds;
      return findAvailability(ctx, { ids, ...filter }, { from, to, minutes, memberId });
    },
  }),
);

import { parseQuery } from '../../../core/validation.ts';
import { builder, createInputType, Money, MoneySum, withArgs } from '../../../graphql/builder.ts';
import {
  getOrderEnum,
  listField,
  relatedRow,
  relationField,
  selectById,
} from '../../../graphql/list-fields.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { Member } from '../../members/graphql/members.ts';
import { Membership } from '../../plans/graphql/memberships.ts';
import { membershipList } from '../../plans/service/find-memberships.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { Resource } from '../../spaces/graphql/resources.ts';
import { Team } from '../../teams/graphql.ts';
import { availabilityArgs, bookingFilter } from '../inputs.ts';
import {
  type Availability,
  findAvailability,
  type PricedSlot as PricedSlotValue,
} from '../service/availability.ts';
import { bookingList, getBooking } from '../service/list-bookings.ts';
import { type BookingTotals as BookingTotalsValue, sumBookings } from '../service/sum-bookings.ts';
import { Booking, Slot } from './booking.ts';

const READ = { access: 'bookings:read' } as const;

const BookingFilter = createInputType('BookingFilter', bookingFilter);
const BookingOrder = getOrderEnum('Booking', bookingList);

builder.queryField('bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'Bookings, sorted by start. Members see only their own.',
    authScopes: READ,
    args: {
      filter: t.arg({
        type: BookingFilter,
        description: 'Which bookings to list. Default: all that the caller can see.',
      }),
      orderBy: t.arg({ type: BookingOrder }),
    },
    ...listField(bookingList),
  }),
);

builder.objectField(Member, 'bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'Their bookings, sorted by start',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(bookingList, (row, member) => `${row}.member_id = ${member}`),
  }),
);

builder.objectField(Resource, 'bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'Its bookings, sorted by start. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(bookingList, (row, resource) => `${row}.resource_id = ${resource}`),
  }),
);

builder.objectField(Location, 'bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'The bookings of its resources, sorted by start. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(bookingList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.objectField(Team, 'bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'The bookings of its members, sorted by start. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(
      bookingList,
      (row, team) =>
        `${row}.member_id = ANY (ARRAY(SELECT id FROM members WHERE team_id = ${team}))`,
    ),
  }),
);

builder.objectField(Membership, 'bookings', (t) =>
  t.connection({
    type: Booking,
    description:
      'The bookings whose price it determined, sorted by start. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(bookingList, (row, membership) => `${row}.membership_id = ${membership}`),
  }),
);

builder.objectField(Booking, 'seriesBookings', (t) =>
  t.connection({
    type: Booking,
    description:
      'All bookings of its series, also this one, sorted by start; none for a single booking. Members see only their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }), orderBy: t.arg({ type: BookingOrder }) },
    ...relationField(
      bookingList,
      (row, booking) => `${row}.series_id = (SELECT series_id FROM bookings WHERE id = ${booking})`,
    ),
  }),
);

builder.objectField(Booking, 'membership', (t) =>
  t.field({
    type: Membership,
    description: 'The membership that determined the price. null: none, or not visible to you.',
    // Members see only their own bookings, and only their own memberships and those of their team.
    authScopes: (_, __, { ctx: { viewer } }) =>
      viewer.kind === 'member' ? true : { access: 'members:read' },
    ...relatedRow(
      membershipList,
      (row, booking) => `${row}.id = (SELECT membership_id FROM bookings WHERE id = ${booking})`,
      'members:read',
    ),
  }),
);

builder.queryField('booking', (t) =>
  t.field({
    type: Booking,
    description: 'Gets a booking. Members can get only their own.',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the booking', required: true }) },
    extensions: { row: selectById(bookingList) },
    resolve: (_, { id }, { ctx }) => getBooking(ctx, id),
  }),
);

const BookingTotals = builder.objectRef<BookingTotalsValue>('BookingTotals').implement({
  description: 'What bookings cost and what was paid of them, added up in one currency',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many bookings' }),
    due: t.expose('due', { type: MoneySum, description: 'What they cost now' }),
    paid: t.expose('paid', { type: MoneySum, description: 'What was paid of it' }),
    open: t.expose('open', { type: MoneySum, description: 'What is still to be paid' }),
    surplus: t.expose('surplus', { type: MoneySum, description: 'What is to be returned' }),
  }),
});

/** About as much as a few pages of a list. */
const TOTALS_POINTS = 100;

builder.queryField('bookingTotals', (t) =>
  t.field({
    type: [BookingTotals],
    description:
      'Adds up bookings by currency: those of some days (from and to), or those with the payment statuses UNPAID and OVERPAID. Members see only their own.',
    authScopes: READ,
    args: {
      filter: t.arg({
        type: BookingFilter,
        required: true,
        description: 'Which bookings to add up, as for bookings',
      }),
    },
    ...withCost({ points: TOTALS_POINTS, items: 2 }),
    resolve: (_, { filter }, { ctx }) => sumBookings(ctx, filter),
  }),
);

const PricedSlot = builder.objectRef<PricedSlotValue>('PricedSlot');
PricedSlot.implement({
  description: 'A period in which a resource can be booked, with its price',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the slot starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the slot ends' }),
    localStart: t.exposeString('localStart', {
      description: 'In the time zone of the location, with the UTC offset',
    }),
    price: t.expose('price', { type: Money, description: 'The price of a booking of this slot' }),
  }),
});

const EmptyReason = builder.enumType('EmptyAvailabilityReason', {
  description: 'Why a resource has no slot in a period',
  values: {
    INACTIVE: { value: 'inactive', description: 'The resource is inactive' },
    LENGTH_NOT_OFFERED: {
      value: 'length_not_offered',
      description: 'Bookings of the resource never have this length',
    },
    NOT_ALLOWED: {
      value: 'not_allowed',
      description: 'The member cannot book it: their plan or status does not allow it',
    },
    TOO_LATE: {
      value: 'too_late',
      description: 'Its times are over, or closer than the minimum notice',
    },
    TOO_EARLY: {
      value: 'too_early',
      description: 'The period is farther ahead than the resource can be booked',
    },
    CLOSED: { value: 'closed', description: 'The location is closed' },
    BOOKED_OUT: {
      value: 'booked_out',
      description: 'Other bookings or events leave no time, also for the shortest booking',
    },
    TOO_SHORT: {
      value: 'too_short',
      description: 'The free times are too short for this length',
    },
  } as const,
});

export const ResourceAvailability = builder.objectRef<Availability>('ResourceAvailability');
ResourceAvailability.implement({
  description: 'When one resource is free',
  fields: (t) => ({
    resource: t.expose('resource', { type: Resource, description: 'The resource' }),
    free: t.field({
      type: [Slot],
      description:
        'The times at which the location is open and the resource is not occupied, even if booking rules do not allow a booking',
      resolve: (availability) => availability.free(),
    }),
    slots: t.field({
      type: [PricedSlot],
      description:
        'All slots of the requested length that can be booked, by the member if one is named or asks',
      resolve: (availability) => availability.slots(),
    }),
    emptyReason: t.field({
      type: EmptyReason,
      nullable: true,
      description: 'Why there are no slots; null if there are some',
      resolve: (availability) => availability.emptyReason(),
    }),
    nextFreeOn: t.field({
      type: 'Date',
      nullable: true,
      description:
        'The first day after the period, in the time zone of the location, on which a booking of this length can start; null if the period has slots, or if there is none within 31 days. In large spaces it is null too if finding it would take too long. It does not consider what the plan of a member allows.',
      resolve: (availability) => availability.nextFreeOn(),
    }),
  }),
});

/** High enough that one request can contain at most two. */
const AVAILABILITY_POINTS = 750;

builder.queryField('availability', (t) =>
  t.field({
    type: [ResourceAvailability],
    description:
      'Free slots and their prices, for at most 250 resources, sorted by name, within at most 31 days in the time zone of a location. Where clocks change, these days have more or fewer than 24 hours.',
    authScopes: { access: 'spaces:read' },
    ...withCost({ points: AVAILABILITY_POINTS, items: 10 }),
    ...withArgs(
      availabilityArgs,
      ({ from, to, minutes, memberId, resourceId, resourceIds, type, ...filter }, { ctx }) => {
        const ids = resourceId ? [resourceId, ...(resourceIds ?? [])] : resourceIds;
        return findAvailability(
          ctx,
          { ids, types: type && [type], ...filter },
          { from, to, minutes, memberId },
          { isOneRequested: ids?.length === 1 },
        );
      },
      parseQuery,
    ),
  }),
);

import { describeReasons } from '../../../core/error-reasons.ts';
import type { RowProjection } from '../../../db/json-projection.ts';
import { builder, createInputType, getInputType, Money } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { Member } from '../../members/graphql/members.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { Resource } from '../../spaces/graphql/resources.ts';
import type {
  Collision as CollisionValue,
  PreviewResult,
  Slot as SlotValue,
} from '../booking-preview.ts';
import { bookAnyResourceInput, createBookingInput, guestInput } from '../inputs.ts';
import { bookingRow } from '../rows.ts';
import { VIOLATION_REASONS } from '../rules/booking-rules.ts';
import type { PriceLine as PriceLineValue } from '../rules/pricing.ts';
import {
  type BookingActions as BookingActionsValue,
  toBookingActionsProjection,
} from '../service/allowed-actions.ts';
import { bookAnyResource } from '../service/book-any-resource.ts';
import { createBooking, previewBooking } from '../service/create-booking.ts';
import { bookingList } from '../service/list-bookings.ts';
import { toBookingProjection, type Booking as Value } from '../types.ts';

const BookingStatus = builder.enumType('BookingStatus', {
  description: 'The state of a booking',
  values: {
    PENDING: {
      value: 'pending',
      description: 'Waits for approval by staff; the resource is reserved meanwhile',
    },
    CONFIRMED: { value: 'confirmed', description: 'The resource is reserved' },
    CANCELLED: { value: 'cancelled', description: 'Cancelled; the resource is free again' },
    NO_SHOW: { value: 'no_show', description: 'Released because nobody checked in' },
  } as const,
});

const Guest = builder.objectRef<{ name: string; email: string | null }>('Guest');
Guest.implement({
  description: 'A person without a member record',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The full name' }),
    email: t.exposeString('email', {
      description: 'The email address; null if it is unknown',
      nullable: true,
    }),
  }),
});

const Cancellation = builder.objectRef<NonNullable<Value['cancellation']>>('Cancellation');
Cancellation.implement({
  description: 'The end of a booking before its time',
  fields: (t) => ({
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      description: 'When the booking was cancelled',
    }),
    reason: t.exposeString('reason', {
      description:
        'Why it was cancelled, as given by the person who did it; null if no reason was given',
      nullable: true,
    }),
    fee: t.expose('fee', {
      type: Money,
      description: 'The part of the price that is still charged',
    }),
  }),
});

const BookingPaymentStatus = builder.enumType('BookingPaymentStatus', {
  description: 'Whether a booking is paid',
  values: {
    NOT_DUE: {
      value: 'not_due',
      description:
        'Nothing to pay: it is free, covered by a plan, cancelled free of charge, or waits for approval and nothing was paid',
    },
    UNPAID: { value: 'unpaid', description: 'Some or all of it is still to be paid' },
    PAID: {
      value: 'paid',
      description: 'Paid in full, or paid before it had to be approved again',
    },
    OVERPAID: {
      value: 'overpaid',
      description:
        'More was paid than it costs now, for example because it was moved or cancelled. Return the surplus.',
    },
    NOT_RECORDED: {
      value: 'not_recorded',
      description: 'It ended before Foyer recorded payments of bookings',
    },
  } as const,
});

const BookingPayment = builder.objectRef<Value['payment']>('BookingPayment');
BookingPayment.implement({
  description: 'What a booking costs now, and what was paid of it',
  fields: (t) => ({
    status: t.expose('status', { type: BookingPaymentStatus, description: 'Whether it is paid' }),
    due: t.expose('due', {
      type: Money,
      description:
        'What it costs now: the price, also of a no-show, or the fee after a cancellation. Before approval, no more is due than was paid.',
    }),
    paid: t.expose('paid', {
      type: Money,
      description: 'What was paid of it, without what was returned',
    }),
    open: t.expose('open', { type: Money, description: 'What is still to be paid' }),
    surplus: t.expose('surplus', {
      type: Money,
      description: 'What was paid too much, and is to be returned',
    }),
  }),
});

const BookingActions = builder.objectRef<BookingActionsValue>('BookingActions');
BookingActions.implement({
  description: 'What the caller can do with a booking now',
  fields: (t) => ({
    confirm: t.exposeBoolean('confirm', { description: 'Approve it with confirmBooking' }),
    checkIn: t.exposeBoolean('checkIn', { description: 'Check in for it with checkInBooking' }),
    update: t.exposeBoolean('update', {
      description: 'Change its title and notes with updateBooking',
    }),
    reschedule: t.exposeBoolean('reschedule', {
      description: 'Move it with rescheduleBooking, if the new slot is available',
    }),
    cancel: t.exposeBoolean('cancel', { description: 'Cancel it with cancelBooking' }),
    freeCancellationUntil: t.expose('freeCancellationUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when cancelling is free. After that, the full price is charged. Null if it is free at any time, and if the booking cannot be cancelled.',
    }),
  }),
});

export const Booking = builder.objectRef<Value>('Booking');
Booking.implement({
  description: 'A booking of a resource by a member or a guest, from startsAt to endsAt',
  extensions: {
    projection: ((row, viewer) => ({
      ...toBookingProjection(row, viewer),
      allowedActions: toBookingActionsProjection(row, viewer),
    })) satisfies RowProjection,
  },
  interfaces: [Node],
  fields: (t) => ({
    ...showFields(t, bookingRow),
    resource: t.expose('resource', { type: Resource, description: 'What is booked' }),
    location: t.expose('location', { type: Location, description: 'The location of the resource' }),
    member: t.expose('member', {
      type: Member,
      description: 'The member it is for; null for bookings of guests',
      nullable: true,
    }),
    guest: t.expose('guest', {
      type: Guest,
      description: 'The guest it is for; null for bookings of members',
      nullable: true,
    }),
    price: t.expose('price', {
      type: Money,
      description: 'The price that was agreed when the booking was made',
    }),
    payment: t.expose('payment', {
      type: BookingPayment,
      description: 'Whether it is paid, and what is still to be paid or returned',
    }),
    cancellation: t.expose('cancellation', {
      type: Cancellation,
      description: 'When, why and for which fee it was cancelled; null if it was not',
      nullable: true,
    }),
    allowedActions: t.field({
      type: BookingActions,
      description: 'What you can do with it now, for buttons. The mutations check this again.',
      extensions: { reads: 'allowedActions' },
      resolve: ({ id }, _, { loaders }) => loaders.bookingActions.load(id),
    }),
  }),
});

const BookingReason = builder.enumType('BookingReason', {
  description: 'Why a booking is rejected',
  values: describeReasons([...VIOLATION_REASONS, 'NO_SUCH_TIME'] as const),
});

export const BookingViolation = builder.objectRef<{
  reason: (typeof VIOLATION_REASONS)[number] | 'NO_SUCH_TIME';
  message: string;
  overridable: boolean;
}>('BookingViolation');
BookingViolation.implement({
  description: 'A rule that a booking violates',
  fields: (t) => ({
    reason: t.expose('reason', {
      type: BookingReason,
      description: 'The violated rule, for programs',
    }),
    message: t.exposeString('message', { description: 'An explanation for people' }),
    overridable: t.exposeBoolean('overridable', {
      description: 'Whether staff and tokens can ignore it with override',
    }),
  }),
});

export const Slot = builder.objectRef<SlotValue>('Slot');
Slot.implement({
  description: 'A period in which a resource is free',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the slot starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the slot ends' }),
    localStart: t.exposeString('localStart', {
      description: 'In the time zone of the location, with the UTC offset',
    }),
  }),
});

const BookingCollision = builder.objectRef<CollisionValue>('BookingCollision');
BookingCollision.implement({
  description: 'A conflicting booking or event. Fields that the caller cannot see are null.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the conflict starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the conflict ends' }),
    bookingId: t.exposeID('bookingId', {
      description: 'The conflicting booking; null for events',
      nullable: true,
    }),
    title: t.exposeString('title', {
      description: 'The title of the booking or event',
      nullable: true,
    }),
    holder: t.exposeString('holder', {
      description: 'The name of the member or guest',
      nullable: true,
    }),
  }),
});

const PriceLineKind = builder.enumType('PriceLineKind', {
  description: 'How minutes of a booking are charged',
  values: {
    ALLOWANCE: { value: 'allowance', description: "Included in the member's plan" },
    MEMBER_RATE: { value: 'member_rate', description: "The public rate minus the plan's discount" },
    PUBLIC_RATE: { value: 'public_rate', description: 'The price per hour of the resource' },
  } as const,
});

const PriceLine = builder.objectRef<PriceLineValue>('PriceLine');
PriceLine.implement({
  description: 'One line of a price. The amounts of all lines add up to the price.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PriceLineKind, description: 'How these minutes are charged' }),
    minutes: t.exposeInt('minutes', {
      description: 'How many minutes of the booking the line is about',
    }),
    pricePerHour: t.expose('pricePerHour', { type: Money, description: 'Before the discount' }),
    discountPercent: t.exposeInt('discountPercent', {
      description: 'The discount of the plan on these minutes, in percent',
    }),
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
  }),
});

export const BookingPreview = builder.objectRef<PreviewResult>('BookingPreview');
BookingPreview.implement({
  description: 'The result that createBooking would have with the same input',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed', { description: 'Whether createBooking would succeed' }),
    reasons: t.expose('reasons', {
      type: [BookingViolation],
      description: 'The rules that the booking violates; empty if it is allowed',
    }),
    status: t.expose('status', { type: BookingStatus, description: 'The initial status' }),
    price: t.expose('price', { type: Money, description: 'What the booking would cost' }),
    lines: t.expose('lines', { type: [PriceLine], description: 'How the price is made up' }),
    freeCancellationUntil: t.expose('freeCancellationUntil', {
      type: 'DateTime',
      description: 'Until when the booking could be cancelled without a fee',
    }),
    collisions: t.expose('collisions', {
      type: [BookingCollision],
      description: 'The bookings and events that are in the way',
    }),
    alternatives: t.expose('alternatives', {
      type: [Slot],
      description: 'The nearest free slots of the same length, nearest first',
    }),
  }),
});

createInputType('GuestInput', guestInput);

builder.queryField('previewBooking', (t) =>
  t.field({
    type: BookingPreview,
    description: 'Shows what createBooking would do with the same input, without booking',
    authScopes: { access: 'spaces:read' },
    args: {
      input: t.arg({
        type: getInputType(createBookingInput),
        description: 'The booking to evaluate',
        required: true,
      }),
    },
    resolve: (_, { input }, { ctx }) => previewBooking(ctx, input),
  }),
);

addMutation('createBooking', {
  description: 'Books a resource for a period',
  access: 'bookings:write',
  input: createBookingInput,
  payload: { booking: { type: Booking, description: 'The new booking' } },
  creates: { booking: bookingList },
  resolve: async (input, { ctx }) => ({ booking: await createBooking(ctx, input) }),
});

addMutation('bookAnyResource', {
  description:
    'Books any free resource of a type: the cheapest first, then those that need no approval, then by name. If someone else takes it first, the next one is tried.',
  access: 'bookings:write',
  input: bookAnyResourceInput,
  payload: {
    booking: { type: Booking, description: 'The new booking, with the resource that was free' },
  },
  creates: { booking: bookingList },
  resolve: async (input, { ctx }) => ({ booking: await bookAnyResource(ctx, input) }),
});

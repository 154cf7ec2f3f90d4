import { z } from 'zod';
import { omitNull, parseInput } from '../../../core/validation.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { Member } from '../../members/graphql/members.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import { bookingNotesSchema, bookingTitleSchema, guestSchema } from '../booking-input.ts';
import { createBooking, previewBooking } from '../commands/create-booking.ts';
import type {
  Collision as CollisionValue,
  PreviewResult,
  Slot as SlotValue,
} from '../evaluate-booking.ts';
import { VIOLATION_REASONS } from '../rules/booking-rules.ts';
import type { PriceLine as PriceLineValue } from '../rules/pricing.ts';
import type { Booking as Value } from '../types.ts';

export const BookingStatus = builder.enumType('BookingStatus', {
  values: {
    PENDING: { value: 'pending' },
    CONFIRMED: { value: 'confirmed' },
    CANCELLED: { value: 'cancelled' },
    NO_SHOW: { value: 'no_show' },
  } as const,
});

const Guest = builder.objectRef<{ name: string; email: string | null }>('Guest');
Guest.implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
  }),
});

const Cancellation = builder.objectRef<NonNullable<Value['cancellation']>>('Cancellation');
Cancellation.implement({
  fields: (t) => ({
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime' }),
    reason: t.exposeString('reason', { nullable: true }),
    fee: t.expose('fee', { type: Money, description: 'The part of the price that stays due' }),
  }),
});

export const Booking = builder.objectRef<Value>('Booking');
Booking.implement({
  description:
    'A resource that is booked by a member or a guest, from startsAt until just before endsAt',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: BookingStatus }),
    title: t.exposeString('title', { nullable: true }),
    notes: t.exposeString('notes', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    resource: t.expose('resource', { type: Resource }),
    location: t.expose('location', { type: Location }),
    member: t.expose('member', { type: Member, nullable: true }),
    guest: t.expose('guest', { type: Guest, nullable: true }),
    price: t.expose('price', { type: Money }),
    seriesId: t.exposeID('seriesId', { nullable: true }),
    checkedInAt: t.expose('checkedInAt', { type: 'DateTime', nullable: true }),
    cancellation: t.expose('cancellation', { type: Cancellation, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const BookingReason = builder.enumType('BookingReason', {
  description: 'Why a booking is rejected',
  values: [...VIOLATION_REASONS, 'NO_SUCH_TIME'] as const,
});

export const BookingViolation = builder.objectRef<{
  reason: (typeof VIOLATION_REASONS)[number] | 'NO_SUCH_TIME';
  message: string;
  overridable: boolean;
}>('BookingViolation');
BookingViolation.implement({
  description: 'A rule that a booking violates',
  fields: (t) => ({
    reason: t.expose('reason', { type: BookingReason }),
    message: t.exposeString('message', { description: 'An explanation for people' }),
    overridable: t.exposeBoolean('overridable', {
      description: 'Whether staff can ignore it with override',
    }),
  }),
});

export const Slot = builder.objectRef<SlotValue>('Slot');
Slot.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    localStart: t.exposeString('localStart', {
      description: 'In the time zone of the location, with the UTC offset',
    }),
  }),
});

const BookingCollision = builder.objectRef<CollisionValue>('BookingCollision');
BookingCollision.implement({
  description: 'A conflicting booking or event. Fields that the caller cannot see are null.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    bookingId: t.exposeID('bookingId', { nullable: true }),
    title: t.exposeString('title', { nullable: true }),
    holder: t.exposeString('holder', { nullable: true }),
  }),
});

const PriceLineKind = builder.enumType('PriceLineKind', {
  values: {
    ALLOWANCE: { value: 'allowance', description: "Included in the member's plan" },
    MEMBER_RATE: { value: 'member_rate', description: "The public rate minus the plan's discount" },
    PUBLIC_RATE: { value: 'public_rate' },
  } as const,
});

const PriceLine = builder.objectRef<PriceLineValue>('PriceLine');
PriceLine.implement({
  description: 'One line of a price. The amounts of all lines add up to the price.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PriceLineKind }),
    minutes: t.exposeInt('minutes'),
    pricePerHour: t.expose('pricePerHour', { type: Money, description: 'Before the discount' }),
    discountPercent: t.exposeInt('discountPercent'),
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
  }),
});

export const BookingPreview = builder.objectRef<PreviewResult>('BookingPreview');
BookingPreview.implement({
  description: 'What createBooking would do with the same input',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed'),
    reasons: t.expose('reasons', { type: [BookingViolation] }),
    status: t.expose('status', { type: BookingStatus, description: 'The initial status' }),
    price: t.expose('price', { type: Money }),
    lines: t.expose('lines', { type: [PriceLine] }),
    freeCancellationUntil: t.expose('freeCancellationUntil', { type: 'DateTime' }),
    collisions: t.expose('collisions', { type: [BookingCollision] }),
    alternatives: t.expose('alternatives', {
      type: [Slot],
      description: 'The nearest free slots of the same length, nearest first',
    }),
  }),
});

export const GuestInput = builder.inputType('GuestInput', {
  fields: (t) => ({ name: t.string({ required: true }), email: t.string() }),
});

const BookingInput = builder.inputType('BookingInput', {
  description: 'Either memberId or guest. Members book for themselves and omit both.',
  fields: (t) => ({
    resourceId: t.id({ required: true }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    memberId: t.id(),
    guest: t.field({ type: GuestInput }),
    title: t.string(),
    notes: t.string(),
    override: t.boolean({
      description: 'Ignore overridable rules, but not conflicts. Staff only.',
    }),
  }),
});

export const bookingFields = {
  resourceId: z.string(),
  startsAt: z.date(),
  endsAt: z.date(),
  memberId: z.string().optional(),
  guest: guestSchema.optional(),
  title: bookingTitleSchema.optional(),
  notes: bookingNotesSchema.optional(),
  override: z.boolean().optional(),
};
const bookingInput = z.object(bookingFields);

builder.queryField('previewBooking', (t) =>
  t.field({
    type: BookingPreview,
    authScopes: { access: 'spaces:read' },
    args: { input: t.arg({ type: BookingInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      previewBooking(ctx, parseInput(bookingInput, omitNull(input))),
  }),
);

builder.mutationField('createBooking', (t) =>
  t.field({
    type: Booking,
    authScopes: { access: 'bookings:write' },
    args: { input: t.arg({ type: BookingInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createBooking(ctx, parseInput(bookingInput, omitNull(input))),
  }),
);

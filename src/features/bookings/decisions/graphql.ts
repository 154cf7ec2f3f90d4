import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { Money } from '../../../graphql/money.ts';
import { definite, valid } from '../../../validation.ts';
import { create, preview } from '../create.ts';
import { guest, notes, title } from '../fields.ts';
import type { PriceLine as PriceLineValue } from '../policy/price.ts';
import { REASONS } from '../policy/reasons.ts';
import { Booking, BookingStatus } from '../types/graphql.ts';
import type { Collision as CollisionValue, Slot as SlotValue, Verdict } from './verdict.ts';

const BookingReason = builder.enumType('BookingReason', {
  description: 'Why a booking cannot be had',
  values: [...REASONS, 'NO_SUCH_TIME'] as const,
});

export const BookingObjection = builder.objectRef<{
  reason: (typeof REASONS)[number] | 'NO_SUCH_TIME';
  message: string;
  overridable: boolean;
}>('BookingObjection');
BookingObjection.implement({
  fields: (t) => ({
    reason: t.expose('reason', { type: BookingReason }),
    message: t.exposeString('message', { description: 'For a person to read' }),
    overridable: t.exposeBoolean('overridable', {
      description: 'Staff may set it aside with override',
    }),
  }),
});

export const Slot = builder.objectRef<SlotValue>('Slot');
Slot.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    localStart: t.exposeString('localStart', {
      description:
        "By the location's clocks, with the offset from UTC, which tells apart what they show twice",
    }),
  }),
});

const BookingCollision = builder.objectRef<CollisionValue>('BookingCollision');
BookingCollision.implement({
  description: 'What stands in the way, as far as the viewer may know',
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
    MEMBER_RATE: { value: 'member_rate', description: "The public rate less the plan's discount" },
    PUBLIC_RATE: { value: 'public_rate' },
  } as const,
});

const PriceLine = builder.objectRef<PriceLineValue>('PriceLine');
PriceLine.implement({
  description: 'One step of how a price comes about; the amounts add up to the price',
  fields: (t) => ({
    kind: t.expose('kind', { type: PriceLineKind }),
    minutes: t.exposeInt('minutes'),
    pricePerHour: t.expose('pricePerHour', { type: Money, description: 'Before the discount' }),
    discountPercent: t.exposeInt('discountPercent'),
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
  }),
});

export const BookingPreview = builder.objectRef<Verdict>('BookingPreview');
BookingPreview.implement({
  description: 'What createBooking would answer to the same input, without booking',
  fields: (t) => ({
    allowed: t.exposeBoolean('allowed'),
    reasons: t.expose('reasons', { type: [BookingObjection] }),
    status: t.expose('status', { type: BookingStatus, description: 'What it would begin as' }),
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
  description: 'Either memberId or guest; members book for themselves and leave both out',
  fields: (t) => ({
    resourceId: t.id({ required: true }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    memberId: t.id(),
    guest: t.field({ type: GuestInput }),
    title: t.string(),
    notes: t.string(),
    override: t.boolean({ description: 'Staff sets the rules aside; a taken slot stays taken' }),
  }),
});

export const bookingFields = {
  resourceId: z.string(),
  startsAt: z.date(),
  endsAt: z.date(),
  memberId: z.string().optional(),
  guest: guest.optional(),
  title: title.optional(),
  notes: notes.optional(),
  override: z.boolean().optional(),
};
const bookingInput = z.object(bookingFields);

builder.queryField('previewBooking', (t) =>
  t.field({
    type: BookingPreview,
    authScopes: { access: 'spaces:read' },
    args: { input: t.arg({ type: BookingInput, required: true }) },
    resolve: (_, { input }, { ctx }) => preview(ctx, valid(bookingInput, definite(input))),
  }),
);

builder.mutationField('createBooking', (t) =>
  t.field({
    type: Booking,
    authScopes: { access: 'bookings:write' },
    args: { input: t.arg({ type: BookingInput, required: true }) },
    resolve: (_, { input }, { ctx }) => create(ctx, valid(bookingInput, definite(input))),
  }),
);

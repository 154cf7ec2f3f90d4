import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { Money } from '../../../graphql/money.ts';
import { definite, text, valid } from '../../../validation.ts';
import { BookingObjection, bookingFields, GuestInput } from '../decisions/graphql.ts';
import type { Conflict } from '../decisions/several.ts';
import { Booking } from '../types/graphql.ts';
import { createSeries, previewSeries, type Series, type SeriesPlan } from './service.ts';

const SeriesConflict = builder.objectRef<Conflict>('SeriesConflict');
SeriesConflict.implement({
  description: 'An occurrence that cannot be had',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    localStart: t.exposeString('localStart', {
      description: "By the location's clocks; there is no startsAt where they skip that time",
    }),
    reasons: t.expose('reasons', { type: [BookingObjection] }),
  }),
});

const SeriesOccurrence = builder.objectRef<SeriesPlan['occurrences'][number]>('SeriesOccurrence');
SeriesOccurrence.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    price: t.expose('price', { type: Money }),
  }),
});

const BookingSeriesPreview = builder.objectRef<SeriesPlan>('BookingSeriesPreview');
BookingSeriesPreview.implement({
  fields: (t) => ({
    occurrences: t.expose('occurrences', { type: [SeriesOccurrence] }),
    conflicts: t.expose('conflicts', { type: [SeriesConflict] }),
  }),
});

const BookingSeries = builder.objectRef<Series>('BookingSeries');
BookingSeries.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    rule: t.exposeString('rule'),
    bookings: t.expose('bookings', { type: [Booking], description: 'By start' }),
    conflicts: t.expose('conflicts', {
      type: [SeriesConflict],
      description: 'What was left out because it could not be had',
    }),
  }),
});

const OnConflict = builder.enumType('OnConflict', {
  values: {
    REJECT: { value: 'reject', description: 'All occurrences or none' },
    SKIP: { value: 'skip', description: 'All that can be had' },
  } as const,
});

const BookingSeriesInput = builder.inputType('BookingSeriesInput', {
  description: 'As BookingInput for the first occurrence, and how it repeats',
  fields: (t) => ({
    resourceId: t.id({ required: true }),
    startsAt: t.field({ type: 'DateTime', required: true }),
    endsAt: t.field({ type: 'DateTime', required: true }),
    memberId: t.id(),
    guest: t.field({ type: GuestInput }),
    title: t.string(),
    notes: t.string(),
    override: t.boolean(),
    rule: t.string({
      required: true,
      description:
        "RFC 5545 RRULE with COUNT or UNTIL, such as FREQ=WEEKLY;COUNT=10, by the location's wall clock",
    }),
    exdates: t.field({ type: ['DateTime'], description: 'Starts to leave out' }),
    onConflict: t.field({ type: OnConflict, description: 'REJECT unless told otherwise' }),
  }),
});

/** Two of them in one request, no more. */
const MUCH = 2_400;

const seriesInput = z.object({
  ...bookingFields,
  rule: text(1_000),
  exdates: z.array(z.date()).max(366).optional(),
  onConflict: z.enum(['reject', 'skip']).default('reject'),
});

builder.queryField('previewBookingSeries', (t) =>
  t.field({
    type: BookingSeriesPreview,
    authScopes: { access: 'spaces:read' },
    complexity: MUCH,
    args: { input: t.arg({ type: BookingSeriesInput, required: true }) },
    resolve: (_, { input }, { ctx }) => previewSeries(ctx, valid(seriesInput, definite(input))),
  }),
);

builder.mutationField('createBookingSeries', (t) =>
  t.field({
    type: BookingSeries,
    description: 'All in one step',
    authScopes: { access: 'bookings:write' },
    complexity: MUCH,
    args: { input: t.arg({ type: BookingSeriesInput, required: true }) },
    resolve: (_, { input }, { ctx }) => createSeries(ctx, valid(seriesInput, definite(input))),
  }),
);

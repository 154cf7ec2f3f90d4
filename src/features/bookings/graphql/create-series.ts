import { z } from 'zod';
import { boundedText, omitNull, parseInput } from '../../../core/validation.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import {
  createBookingSeries,
  previewBookingSeries,
  type Series,
  type SeriesPreviewResult,
} from '../commands/create-series.ts';
import type { OccurrenceConflict } from '../evaluate-series.ts';
import { Booking, BookingViolation, bookingFields, GuestInput } from './booking.ts';

const SeriesConflict = builder.objectRef<OccurrenceConflict>('SeriesConflict');
SeriesConflict.implement({
  description: 'An occurrence that cannot be had',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    localStart: t.exposeString('localStart', {
      description: "By the location's clocks; there is no startsAt where they skip that time",
    }),
    reasons: t.expose('reasons', { type: [BookingViolation] }),
  }),
});

const SeriesOccurrence =
  builder.objectRef<SeriesPreviewResult['occurrences'][number]>('SeriesOccurrence');
SeriesOccurrence.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    price: t.expose('price', { type: Money }),
  }),
});

const BookingSeriesPreview = builder.objectRef<SeriesPreviewResult>('BookingSeriesPreview');
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
const SERIES_COMPLEXITY = 2_400;

const seriesInput = z.object({
  ...bookingFields,
  rule: boundedText(1_000),
  exdates: z.array(z.date()).max(366).optional(),
  onConflict: z.enum(['reject', 'skip']).default('reject'),
});

builder.queryField('previewBookingSeries', (t) =>
  t.field({
    type: BookingSeriesPreview,
    authScopes: { access: 'spaces:read' },
    complexity: SERIES_COMPLEXITY,
    args: { input: t.arg({ type: BookingSeriesInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      previewBookingSeries(ctx, parseInput(seriesInput, omitNull(input))),
  }),
);

builder.mutationField('createBookingSeries', (t) =>
  t.field({
    type: BookingSeries,
    description: 'All in one step',
    authScopes: { access: 'bookings:write' },
    complexity: SERIES_COMPLEXITY,
    args: { input: t.arg({ type: BookingSeriesInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createBookingSeries(ctx, parseInput(seriesInput, omitNull(input))),
  }),
);

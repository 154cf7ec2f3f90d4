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
  description: 'An occurrence that is unavailable',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', nullable: true }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    localStart: t.exposeString('localStart', {
      description:
        'In the time zone of the location. startsAt is null if the clock skips this time.',
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
    bookings: t.expose('bookings', { type: [Booking], description: 'Sorted by start' }),
    conflicts: t.expose('conflicts', {
      type: [SeriesConflict],
      description: 'Occurrences that were skipped because they are unavailable',
    }),
  }),
});

const OnConflict = builder.enumType('OnConflict', {
  values: {
    REJECT: { value: 'reject', description: 'Book all occurrences or none' },
    SKIP: { value: 'skip', description: 'Book the available occurrences' },
  } as const,
});

const BookingSeriesInput = builder.inputType('BookingSeriesInput', {
  description: 'The first occurrence, as in BookingInput, and how it repeats',
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
        'RFC 5545 RRULE with COUNT or UNTIL, such as FREQ=WEEKLY;COUNT=10, in the time zone of the location',
    }),
    exdates: t.field({ type: ['DateTime'], description: 'Starts of occurrences to skip' }),
    onConflict: t.field({ type: OnConflict, description: 'Default: REJECT' }),
  }),
});

/** High enough that one request can contain at most two. */
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
    description: 'Books a series in one transaction',
    authScopes: { access: 'bookings:write' },
    complexity: SERIES_COMPLEXITY,
    args: { input: t.arg({ type: BookingSeriesInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createBookingSeries(ctx, parseInput(seriesInput, omitNull(input))),
  }),
);

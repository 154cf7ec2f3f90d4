import { builder, getInputType, Money } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import type { OccurrenceConflict } from '../evaluate-series.ts';
import { createBookingSeriesInput } from '../inputs.ts';
import {
  createBookingSeries,
  previewBookingSeries,
  type Series,
  type SeriesPreviewResult,
} from '../service/create-series.ts';
import { Booking, BookingViolation } from './booking.ts';

const SeriesConflict = builder.objectRef<OccurrenceConflict>('SeriesConflict');
SeriesConflict.implement({
  description: 'An occurrence that is unavailable',
  fields: (t) => ({
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      description: 'When it would start; null if the clock skips this time',
      nullable: true,
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      description: 'When it would end; null if the clock skips this time',
      nullable: true,
    }),
    localStart: t.exposeString('localStart', {
      description:
        'In the time zone of the location. startsAt is null if the clock skips this time.',
    }),
    reasons: t.expose('reasons', {
      type: [BookingViolation],
      description: 'The rules that it violates',
    }),
  }),
});

const SeriesOccurrence =
  builder.objectRef<SeriesPreviewResult['occurrences'][number]>('SeriesOccurrence');
SeriesOccurrence.implement({
  description: 'One booking that a series would create',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When it starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When it ends' }),
    price: t.expose('price', { type: Money, description: 'What it costs' }),
  }),
});

const BookingSeriesPreview = builder.objectRef<SeriesPreviewResult>('BookingSeriesPreview');
BookingSeriesPreview.implement({
  description: 'The result that createBookingSeries would have with the same input',
  fields: (t) => ({
    occurrences: t.expose('occurrences', {
      type: [SeriesOccurrence],
      description: 'The occurrences that can be booked, sorted by start',
    }),
    conflicts: t.expose('conflicts', {
      type: [SeriesConflict],
      description: 'The occurrences that cannot be booked, sorted by start',
    }),
  }),
});

const BookingSeries = builder.objectRef<Series>('BookingSeries');
BookingSeries.implement({
  description: 'Bookings that one recurrence rule created',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Identifies the series in filters and in each of its bookings',
    }),
    rule: t.exposeString('rule', {
      description: 'The RFC 5545 recurrence rule, such as FREQ=WEEKLY;COUNT=10',
    }),
    bookings: t.expose('bookings', { type: [Booking], description: 'Sorted by start' }),
    conflicts: t.expose('conflicts', {
      type: [SeriesConflict],
      description: 'Occurrences that were skipped because they are unavailable',
    }),
  }),
});

builder.enumType('OnConflict', {
  description: 'What happens if some occurrences of a series are unavailable',
  values: {
    REJECT: { value: 'reject', description: 'Book all occurrences or none' },
    SKIP: { value: 'skip', description: 'Book the available occurrences' },
  } as const,
});

/** High enough that one request can contain at most two. */
const SERIES_POINTS = 750;

builder.queryField('previewBookingSeries', (t) =>
  t.field({
    type: BookingSeriesPreview,
    description: 'Shows what createBookingSeries would do with the same input, without booking',
    authScopes: { access: 'spaces:read' },
    ...withCost({ points: SERIES_POINTS }),
    args: {
      input: t.arg({
        type: getInputType(createBookingSeriesInput),
        description: 'The series to evaluate',
        required: true,
      }),
    },
    resolve: (_, { input }, { ctx }) => previewBookingSeries(ctx, input),
  }),
);

addMutation('createBookingSeries', {
  description: 'Books a series in one transaction',
  access: 'bookings:write',
  input: createBookingSeriesInput,
  payload: {
    bookingSeries: { type: BookingSeries, description: 'The new series with its bookings' },
  },
  ...withCost({ points: SERIES_POINTS }),
  resolve: async (input, { ctx }) => ({ bookingSeries: await createBookingSeries(ctx, input) }),
});

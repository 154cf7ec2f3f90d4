import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  CreateBookingInput,
  CreateBookingSeriesInput,
  PreviewRescheduleQueryVariables,
  PreviewSeriesQuery,
  PricePreviewFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { type BookingFormValues, toBookingInput, toSeriesInput } from './booking-form-values.ts';
import { toSeriesDecision } from './series-decision.ts';

export type PricePreview = PricePreviewFragment;
export type SeriesPreview = PreviewSeriesQuery['previewBookingSeries'];

graphql(`
  fragment PricePreview on BookingPreview {
    allowed
    status
    freeCancellationUntil
    reasons {
      reason
      message
      overridable
    }
    price {
      amount
      currency
    }
    lines {
      kind
      minutes
      discountPercent
      amount
      pricePerHour {
        amount
        currency
      }
    }
    collisions {
      title
      holder
      startsAt
      endsAt
    }
    alternatives {
      startsAt
      endsAt
    }
  }
`);

const PREVIEW_BOOKING_QUERY = graphql(`
  query PreviewBooking($input: CreateBookingInput!) {
    previewBooking(input: $input) {
      ...PricePreview
    }
  }
`);

const PREVIEW_RESCHEDULE_QUERY = graphql(`
  query PreviewReschedule($id: ID!, $resourceId: ID, $startsAt: DateTime!, $endsAt: DateTime!) {
    previewReschedule(id: $id, resourceId: $resourceId, startsAt: $startsAt, endsAt: $endsAt) {
      ...PricePreview
    }
  }
`);

const PREVIEW_SERIES_QUERY = graphql(`
  query PreviewSeries($input: CreateBookingSeriesInput!) {
    previewBookingSeries(input: $input) {
      occurrences {
        startsAt
        endsAt
        price {
          amount
          currency
        }
      }
      conflicts {
        localStart
        reasons {
          reason
          message
          overridable
        }
      }
    }
  }
`);

export const useBookingPreview = (input: CreateBookingInput | null) =>
  useQuery({
    queryKey: ['booking-preview', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW_BOOKING_QUERY, { input }, signal)).previewBooking,
  });

/** A booking does not conflict with itself. */
export const useReschedulePreview = (target: PreviewRescheduleQueryVariables | null) =>
  useQuery({
    queryKey: ['booking-preview', 'reschedule', target],
    enabled: target !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      target && (await request(PREVIEW_RESCHEDULE_QUERY, target, signal)).previewReschedule,
  });

export const useSeriesPreview = (input: CreateBookingSeriesInput | null) =>
  useQuery({
    queryKey: ['booking-preview', 'series', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW_SERIES_QUERY, { input }, signal)).previewBookingSeries,
  });

export const PREVIEW_DEBOUNCE_MS = 300;

interface BookingEvaluation {
  booking: PricePreview | null;
  series: SeriesPreview | null;
  error: Error | null;
  /** Whether the preview matches the current form values. */
  isCurrent: boolean;
  /** The label of the submit button. */
  label: string;
  /** Whether there are violations and staff can override all of them. */
  override: boolean;
  /** Whether there are violations that staff cannot override. */
  isBlocked: boolean;
}

/** Previews the values of the form, debounced. */
export function useBookingEvaluation(
  values: BookingFormValues,
  timeZone: string,
): BookingEvaluation {
  const input = toBookingInput(values, timeZone);
  // Titles, notes and guest names change neither rules nor price.
  const guest = input?.guest ? { guest: { name: 'Guest' } } : {};
  const priced = input && { ...input, ...guest, title: null, notes: null };
  const isSeries = values.repeat !== 'NONE';
  const current = JSON.stringify(priced && (isSeries ? toSeriesInput(priced, values) : priced));
  const [requested] = useDebouncedValue(current, PREVIEW_DEBOUNCE_MS);
  const previewInput: CreateBookingInput | CreateBookingSeriesInput | null = JSON.parse(requested);
  const seriesInput = previewInput !== null && 'rule' in previewInput ? previewInput : null;
  const booking = useBookingPreview(seriesInput === null ? previewInput : null);
  const series = useSeriesPreview(seriesInput);
  const active = isSeries ? series : booking;
  const isCurrent = requested === current && !active.isFetching;
  const isComplete = input !== null;
  return {
    booking: (isComplete && !isSeries && booking.data) || null,
    series: (isComplete && isSeries && series.data) || null,
    error: isComplete ? active.error : null,
    isCurrent,
    ...(isSeries ? toSeriesDecision(series.data) : toBookingDecision(booking.data)),
  };
}

function toBookingDecision(preview: PricePreview | null | undefined) {
  if (!preview || preview.allowed) return { label: 'Book', override: false, isBlocked: false };
  const override = preview.reasons.every(({ overridable }) => overridable);
  return { label: override ? 'Book anyway' : 'Book', override, isBlocked: !override };
}

interface RescheduleEvaluation {
  /** Null while there is nothing to preview. */
  preview: PricePreview | null;
  error: Error | null;
  /** Whether the preview matches the current times. */
  isCurrent: boolean;
}

/** Previews the new times and the new resource of a booking, debounced. */
export function useRescheduleEvaluation(
  target: PreviewRescheduleQueryVariables | null,
): RescheduleEvaluation {
  const current = JSON.stringify(target);
  const [requested] = useDebouncedValue(current, PREVIEW_DEBOUNCE_MS);
  const query = useReschedulePreview(JSON.parse(requested));
  const isComplete = target !== null;
  return {
    preview: (isComplete && query.data) || null,
    error: isComplete ? query.error : null,
    isCurrent: requested === current && !query.isFetching,
  };
}

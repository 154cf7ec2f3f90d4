import { useDebouncedValue } from '@mantine/hooks';
import type { BookingInput, PreviewMoveQueryVariables } from '../../gql/graphql.ts';
import { type BookingFormValues, toBookingInput, toSeriesInput } from './booking-form-values.ts';
import {
  type PricePreview,
  type SeriesPreview,
  useBookingPreview,
  useReschedulePreview,
  useSeriesPreview,
} from './preview-queries.ts';

const PREVIEW_DEBOUNCE_MS = 300;

interface BookingEvaluation {
  booking: PricePreview | null;
  series: SeriesPreview | null;
  error: Error | null;
  /** Whether the preview matches the current form values. */
  isCurrent: boolean;
  /** The label of the submit button. */
  label: string;
  /** Whether staff can override every violation. */
  override: boolean;
  isBlocked: boolean;
}

/** Previews the booking as filled in so far, debounced. */
export function useBookingEvaluation(
  values: BookingFormValues,
  timeZone: string,
): BookingEvaluation {
  const input = toBookingInput(values, timeZone);
  // Titles, notes and guest names do not affect the evaluation.
  const guest = input?.guest ? { guest: { name: 'Guest' } } : {};
  const priced = input && { ...input, ...guest, title: null, notes: null };
  const isSeries = values.repeat !== 'NONE';
  const current = JSON.stringify(priced && (isSeries ? toSeriesInput(priced, values) : priced));
  const [requested] = useDebouncedValue(current, PREVIEW_DEBOUNCE_MS);
  const previewInput: BookingInput | null = JSON.parse(requested);
  const isSeriesPreview = previewInput !== null && 'rule' in previewInput;
  const booking = useBookingPreview(isSeriesPreview ? null : previewInput);
  const series = useSeriesPreview(isSeriesPreview ? (previewInput as never) : null);
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

function toSeriesDecision(preview: SeriesPreview | null | undefined) {
  if (!preview) return { label: 'Book all', override: false, isBlocked: false };
  const { occurrences, conflicts } = preview;
  const count = occurrences.length;
  if (conflicts.length === 0)
    return { label: `Book all ${count}`, override: false, isBlocked: false };
  if (count > 0) return { label: `Book the other ${count}`, override: false, isBlocked: false };
  const override = conflicts.every(({ reasons }) =>
    reasons.every(({ overridable }) => overridable),
  );
  return { label: override ? 'Book all anyway' : 'Book all', override, isBlocked: !override };
}

interface RescheduleEvaluation {
  /** Null while there is nothing to preview. */
  preview: PricePreview | null;
  error: Error | null;
  /** Whether the preview matches the current times. */
  isCurrent: boolean;
}

/** Previews the move of one booking, debounced. */
export function useRescheduleEvaluation(
  move: PreviewMoveQueryVariables | null,
): RescheduleEvaluation {
  const current = JSON.stringify(move);
  const [requested] = useDebouncedValue(current, PREVIEW_DEBOUNCE_MS);
  const query = useReschedulePreview(JSON.parse(requested));
  const isComplete = move !== null;
  return {
    preview: (isComplete && query.data) || null,
    error: isComplete ? query.error : null,
    isCurrent: requested === current && !query.isFetching,
  };
}

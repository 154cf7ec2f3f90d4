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
  one: PricePreview | null;
  series: SeriesPreview | null;
  error: Error | null;
  /** It answers what stands in the form now. */
  isCurrent: boolean;
  /** What the button says. */
  label: string;
  /** All that stands in the way may be set aside. */
  override: boolean;
  isBlocked: boolean;
}

/** What the service says to what has been filled in so far, asked when the typing pauses. */
export function useBookingEvaluation(
  values: BookingFormValues,
  timeZone: string,
): BookingEvaluation {
  const input = toBookingInput(values, timeZone);
  // Titles, notes and the names of guests change no verdict.
  const guest = input?.guest ? { guest: { name: 'A guest' } } : {};
  const bare = input && { ...input, ...guest, title: null, notes: null };
  const isSeries = values.repeat !== 'NONE';
  const typed = JSON.stringify(bare && (isSeries ? toSeriesInput(bare, values) : bare));
  const [asked] = useDebouncedValue(typed, PREVIEW_DEBOUNCE_MS);
  const question: BookingInput | null = JSON.parse(asked);
  const asksSeries = question !== null && 'rule' in question;
  const one = useBookingPreview(asksSeries ? null : question);
  const series = useSeriesPreview(asksSeries ? (question as never) : null);
  const chosen = isSeries ? series : one;
  const isCurrent = asked === typed && !chosen.isFetching;
  const shown = input !== null;
  return {
    one: (shown && !isSeries && one.data) || null,
    series: (shown && isSeries && series.data) || null,
    error: shown ? chosen.error : null,
    isCurrent,
    ...(isSeries ? toSeriesDecision(series.data) : toBookingDecision(one.data)),
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
  const many = occurrences.length;
  if (conflicts.length === 0)
    return { label: `Book all ${many}`, override: false, isBlocked: false };
  if (many > 0) return { label: `Book the other ${many}`, override: false, isBlocked: false };
  const override = conflicts.every(({ reasons }) => reasons.every((one) => one.overridable));
  return { label: override ? 'Book all anyway' : 'Book all', override, isBlocked: !override };
}

interface RescheduleEvaluation {
  /** Null while there is nothing to ask. */
  preview: PricePreview | null;
  error: Error | null;
  /** It answers what was asked last. */
  isCurrent: boolean;
}

/** What the service says to the move of one booking, asked when the typing pauses. */
export function useRescheduleEvaluation(
  move: PreviewMoveQueryVariables | null,
): RescheduleEvaluation {
  const typed = JSON.stringify(move);
  const [asked] = useDebouncedValue(typed, PREVIEW_DEBOUNCE_MS);
  const query = useReschedulePreview(JSON.parse(asked));
  const shown = move !== null;
  return {
    preview: (shown && query.data) || null,
    error: shown ? query.error : null,
    isCurrent: asked === typed && !query.isFetching,
  };
}

import { useDebouncedValue } from '@mantine/hooks';
import type { BookingInput } from '../../gql/graphql.ts';
import { type BookingValues, inputOf, seriesOf } from './booking-form.ts';
import {
  type PricePreview,
  type SeriesPreview,
  usePreview,
  useSeriesPreview,
} from './preview-queries.ts';

export const PATIENCE_MS = 300;

export interface Verdict {
  one: PricePreview | null;
  series: SeriesPreview | null;
  error: Error | null;
  /** It answers what stands in the form now. */
  isCurrent: boolean;
  /** What the button says. */
  label: string;
  /** All that stands in the way may be set aside. */
  override: boolean;
  isHopeless: boolean;
}

/** What the service says to what has been filled in so far, asked when the typing pauses. */
export function useVerdict(values: BookingValues, timeZone: string): Verdict {
  const input = inputOf(values, timeZone);
  // Titles, notes and the names of guests change no verdict.
  const guest = input?.guest ? { guest: { name: 'A guest' } } : {};
  const bare = input && { ...input, ...guest, title: null, notes: null };
  const isSeries = values.repeat !== 'NONE';
  const typed = JSON.stringify(bare && (isSeries ? seriesOf(bare, values) : bare));
  const [asked] = useDebouncedValue(typed, PATIENCE_MS);
  const question: BookingInput | null = JSON.parse(asked);
  const asksSeries = question !== null && 'rule' in question;
  const one = usePreview(asksSeries ? null : question);
  const series = useSeriesPreview(asksSeries ? (question as never) : null);
  const chosen = isSeries ? series : one;
  const isCurrent = asked === typed && !chosen.isFetching;
  const shown = input !== null;
  return {
    one: (shown && !isSeries && one.data) || null,
    series: (shown && isSeries && series.data) || null,
    error: shown ? chosen.error : null,
    isCurrent,
    ...(isSeries ? sayOfSeries(series.data) : sayOfOne(one.data)),
  };
}

function sayOfOne(preview: PricePreview | null | undefined) {
  if (!preview || preview.allowed) return { label: 'Book', override: false, isHopeless: false };
  const override = preview.reasons.every(({ overridable }) => overridable);
  return { label: override ? 'Book anyway' : 'Book', override, isHopeless: !override };
}

function sayOfSeries(preview: SeriesPreview | null | undefined) {
  if (!preview) return { label: 'Book all', override: false, isHopeless: false };
  const { occurrences, conflicts } = preview;
  const many = occurrences.length;
  if (conflicts.length === 0)
    return { label: `Book all ${many}`, override: false, isHopeless: false };
  if (many > 0) return { label: `Book the other ${many}`, override: false, isHopeless: false };
  const override = conflicts.every(({ reasons }) => reasons.every((one) => one.overridable));
  return { label: override ? 'Book all anyway' : 'Book all', override, isHopeless: !override };
}

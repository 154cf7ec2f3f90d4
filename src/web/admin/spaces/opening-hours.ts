import { formatTimeOfDay } from '../../components/format-local-time.ts';
import type { Weekday } from '../../gql/graphql.ts';
import type { OpeningSpan } from './location-queries.ts';

/** As the week goes; the first is number 1. */
export const WEEKDAYS: { value: Weekday; label: string; short: string }[] = [
  { value: 'MONDAY', label: 'Monday', short: 'Mon' },
  { value: 'TUESDAY', label: 'Tuesday', short: 'Tue' },
  { value: 'WEDNESDAY', label: 'Wednesday', short: 'Wed' },
  { value: 'THURSDAY', label: 'Thursday', short: 'Thu' },
  { value: 'FRIDAY', label: 'Friday', short: 'Fri' },
  { value: 'SATURDAY', label: 'Saturday', short: 'Sat' },
  { value: 'SUNDAY', label: 'Sunday', short: 'Sun' },
];

/** A span of a day as the form holds it; midnight at its end is written 00:00 there. */
export interface DaySpan {
  opens: string;
  closes: string;
}

export type Week = Record<Weekday, DaySpan[]>;

export const toWeek = (hours: OpeningSpan[]): Week =>
  Object.fromEntries(
    WEEKDAYS.map(({ value }) => [
      value,
      hours
        .filter(({ weekday }) => weekday === value)
        .map(({ opens, closes }) => ({ opens, closes: closes === '24:00' ? '00:00' : closes })),
    ]),
  ) as Week;

export const toOpeningHours = (week: Week): OpeningSpan[] =>
  WEEKDAYS.flatMap(({ value }) =>
    week[value].map((span) => ({ weekday: value, opens: span.opens, closes: toClosingTime(span) })),
  );

/** What is wrong with the hours of a day, for a person. */
export function validateDaySpans(spans: DaySpan[]): string | null {
  if (spans.some(({ opens, closes }) => !opens || !closes)) return 'Fill in both times';
  if (spans.some((span) => span.opens >= toClosingTime(span))) return 'It closes after it opens';
  const sorted = spans.toSorted((a, b) => a.opens.localeCompare(b.opens));
  const overlaps = sorted.some((span, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.opens < toClosingTime(span);
  });
  return overlaps ? 'The hours of a day must not overlap' : null;
}

const toClosingTime = ({ closes }: DaySpan) => (closes === '00:00' ? '24:00' : closes);

export const formatDaySpan = ({ opens, closes }: DaySpan) =>
  `${formatTimeOfDay(opens)} – ${formatTimeOfDay(closes)}`;

/** "Mon – Fri 09:00 – 18:00", days with the same hours together. */
export function formatWeek(hours: OpeningSpan[]): string[] {
  if (hours.length === 0) return ['Always'];
  const lines: { from: string; to: string; words: string }[] = [];
  for (const { value, short } of WEEKDAYS) {
    const words = hours
      .filter(({ weekday }) => weekday === value)
      .map(formatDaySpan)
      .join(', ');
    const last = lines.at(-1);
    if (last?.words === words) last.to = short;
    else lines.push({ from: short, to: short, words });
  }
  return lines
    .filter(({ words }) => words !== '')
    .map(({ from, to, words }) => `${from === to ? from : `${from} – ${to}`} ${words}`);
}

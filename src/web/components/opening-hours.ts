import type { Weekday } from '../gql/graphql.ts';
import { formatShortWeekday } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';

/** An opening period on a weekday, as HH:MM. */
export interface OpeningSpan {
  weekday: Weekday;
  opens: string;
  closes: string;
}

export const WEEKDAYS: { value: Weekday; label: string; short: string }[] = [
  { value: 'MONDAY', label: 'Monday', short: 'Mon' },
  { value: 'TUESDAY', label: 'Tuesday', short: 'Tue' },
  { value: 'WEDNESDAY', label: 'Wednesday', short: 'Wed' },
  { value: 'THURSDAY', label: 'Thursday', short: 'Thu' },
  { value: 'FRIDAY', label: 'Friday', short: 'Fri' },
  { value: 'SATURDAY', label: 'Saturday', short: 'Sat' },
  { value: 'SUNDAY', label: 'Sunday', short: 'Sun' },
];

/** Opening hours as form values, which write midnight at the end of a day as 00:00. */
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

export function validateDaySpans(spans: DaySpan[]): string | null {
  if (spans.some(({ opens, closes }) => !opens || !closes)) return 'Enter both times';
  if (spans.some((span) => span.opens >= toClosingTime(span)))
    return 'Enter a closing time after the opening time';
  const sorted = spans.toSorted((a, b) => a.opens.localeCompare(b.opens));
  const overlaps = sorted.some((span, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.opens < toClosingTime(span);
  });
  return overlaps ? 'Opening hours must not overlap' : null;
}

const toClosingTime = ({ closes }: DaySpan) => (closes === '00:00' ? '24:00' : closes);

/** "09:00 – 18:00", "19:00 – 24:00" */
export const formatDaySpan = (span: DaySpan) => `${span.opens} – ${toClosingTime(span)}`;

/** A line for consecutive days with the same hours: "Mon – Fri 09:00 – 18:00". The names of weekdays are those of the page. */
export function formatWeek(hours: OpeningSpan[]): string[] {
  if (hours.length === 0) return [getText('page.alwaysOpen')];
  const lines: { from: string; to: string; text: string }[] = [];
  for (const [index, { value }] of WEEKDAYS.entries()) {
    const short = formatShortWeekday(index + 1);
    const text = hours
      .filter(({ weekday }) => weekday === value)
      .map(formatDaySpan)
      .join(', ');
    const last = lines.at(-1);
    if (last?.text === text) last.to = short;
    else lines.push({ from: short, to: short, text });
  }
  return lines
    .filter(({ text }) => text !== '')
    .map(({ from, to, text }) => `${from === to ? from : `${from} – ${to}`} ${text}`);
}

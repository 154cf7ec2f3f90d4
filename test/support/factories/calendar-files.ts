import {
  type CalendarContents,
  readCalendarInSteps,
} from '../../../src/imports/calendar/read-calendar.ts';

// iCalendar files, and what imports read of them.

const NOW = new Date('2026-03-01T12:00:00Z');
export function read(
  file: Uint8Array,
  options: { defaultMinutes?: number } = {},
): CalendarContents {
  const steps = readCalendarInSteps(file, {
    now: NOW,
    findZone: () => 'Europe/Berlin',
    ...options,
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export const calendar = (...entries: string[][]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...entries.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );

/** One entry with the given lines, from ten to eleven in UTC unless they say otherwise. */
export const readEntry = (...lines: string[]) => {
  const start = lines.some((line) => line.startsWith('DTSTART'))
    ? []
    : ['DTSTART:20260401T100000Z', 'DTEND:20260401T110000Z'];
  return read(calendar(['UID:one', 'SUMMARY:One', ...start, ...lines]));
};

export const spans = ({ occurrences }: CalendarContents) =>
  occurrences.map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((at) => at.toISOString().slice(0, 16)).join(' '),
  );

export const starts = (contents: CalendarContents) =>
  spans(contents).map((span) => span.slice(0, 16));

export const reasons = ({ problems }: CalendarContents) =>
  problems.map(({ line, reason }) => `${line}: ${reason}`);

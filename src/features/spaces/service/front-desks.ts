import type { Context } from '../../../context.ts';
import { parseDateColumn } from '../../../core/time/calendar-date.ts';
import { formatClockTime, formatLongDate, formatWeekday } from '../../../core/time/format.ts';
import type { OpeningCalendar } from '../../../core/time/opening-hours.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { EmailTexts } from '../../../languages/emails/email-texts.ts';

/** Where and when people can pay at a location. */
export interface FrontDesk extends OpeningCalendar {
  id: string;
  name: string;
  address: string | null;
}

/** Finds the front desks of locations by id, with closures from yesterday on. Unknown ids are left out. */
export async function findFrontDesks(
  { db, now }: Context,
  locationIds: string[],
): Promise<Map<string, FrontDesk>> {
  const rows = await db.location.findMany({
    where: { id: { in: locationIds } },
    select: {
      ...{ id: true, name: true, address: true, timeZone: true },
      openingHours: {
        select: { weekday: true, opensMinute: true, closesMinute: true },
        orderBy: [{ weekday: 'asc' }, { opensMinute: 'asc' }],
      },
      closures: {
        where: { endsOn: { gte: new Date(now().getTime() - 2 * DAY_MS) } },
        select: { startsOn: true, endsOn: true, reason: true },
        orderBy: [{ startsOn: 'asc' }, { id: 'asc' }],
      },
    },
  });
  return new Map(
    rows.map(({ openingHours, closures, ...location }) => [
      location.id,
      {
        ...location,
        hours: openingHours,
        closures: closures.map(({ startsOn, endsOn, reason }) => ({
          startsOn: parseDateColumn(startsOn),
          endsOn: parseDateColumn(endsOn),
          reason,
        })),
      },
    ]),
  );
}

/**
 * Formats the opening hours of a week and the closures until a date, one a line: "Monday to Friday: 09:00 to 18:00". Empty for a
 * location that never closes.
 */
export function formatFrontDeskHours(
  { language, text }: EmailTexts,
  { hours, closures }: FrontDesk,
  until: string,
): string[] {
  const formatSpan = (first: string, last: string) =>
    first === last ? first : text('date.range', { first, last });
  const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    first: weekday,
    last: weekday,
    times: hours
      .filter((span) => span.weekday === weekday)
      .map(({ opensMinute, closesMinute }) =>
        text('date.span', {
          opens: formatClockTime(opensMinute),
          closes: formatClockTime(closesMinute),
        }),
      )
      .join(', '),
  }));
  const spans: typeof days = [];
  for (const day of days) {
    const previous = spans.at(-1);
    if (previous?.times === day.times) previous.last = day.last;
    else spans.push({ ...day });
  }
  return [
    ...(hours.length === 0 ? [] : spans.filter(({ times }) => times !== '')).map(
      ({ first, last, times }) =>
        `${text('email.label', { label: formatSpan(formatWeekday(first, language), formatWeekday(last, language)) })} ${times}`,
    ),
    ...closures
      .filter(({ startsOn }) => startsOn <= until)
      .map(({ startsOn, endsOn }) =>
        text('desk.closed', {
          days: formatSpan(formatLongDate(startsOn, language), formatLongDate(endsOn, language)),
        }),
      ),
  ];
}

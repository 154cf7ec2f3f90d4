import { Temporal } from 'temporal-polyfill';

/** A day relative to today. Week 0 is the current week, weekday 1 is Monday. */
export type RelativeDay = { inDays: number } | { week: number; weekday: number };

/** Converts a relative day and a local time such as 18:30 to a date and time in the location's time zone. */
export type DemoCalendar = { at(day: RelativeDay, time: string): Temporal.ZonedDateTime };

export function createCalendar(now: Date, timeZone: string): DemoCalendar {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  return {
    at(day, time) {
      const date =
        'inDays' in day
          ? today.add({ days: day.inDays })
          : monday.add({ weeks: day.week }).add({ days: day.weekday - 1 });
      return date.toZonedDateTime({ timeZone, plainTime: time });
    },
  };
}

export const toDate = (time: Temporal.ZonedDateTime | Temporal.Instant) =>
  new Date(time.epochMilliseconds);

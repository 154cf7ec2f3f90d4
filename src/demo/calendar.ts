import { Temporal } from 'temporal-polyfill';

/** A day near today; weeks are counted from the Monday of this one, weekday 1 is Monday. */
export type RelativeDay = { inDays: number } | { week: number; weekday: number };

/** `at(day, '18:30')`: that wall-clock moment in the zone, whatever its clocks do in between. */
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

export const toDate = (moment: Temporal.ZonedDateTime | Temporal.Instant) =>
  new Date(moment.epochMilliseconds);

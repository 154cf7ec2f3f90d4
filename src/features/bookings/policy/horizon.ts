import { zonedAt } from '../../../time.ts';
import type { Ground } from './ground.ts';
import { MINUTE, type Span } from './span.ts';

/** Starts that may be booked now: after the notice, before the end of the last day ahead by the wall clock. */
export function bookableStarts({ resource, calendar }: Ground, now: number): Span {
  const lastDay = zonedAt(now, calendar.timeZone)
    .toPlainDate()
    .add({ days: resource.maxAdvanceDays + 1 });
  return {
    start: now + resource.minNoticeMinutes * MINUTE,
    end: lastDay.toZonedDateTime({ timeZone: calendar.timeZone }).epochMilliseconds,
  };
}

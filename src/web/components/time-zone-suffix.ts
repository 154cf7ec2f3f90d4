import { BROWSER_TIME_ZONE } from './browser-time-zone.ts';
import { formatLocalDate, formatLocalTime, formatTimeZone } from './format-local-time.ts';

/** " (Berlin time)" if the browser's clock shows another time at that moment, else empty. */
export const formatTimeZoneSuffix = (at: string | Date, timeZone: string) =>
  formatLocalTime(at, timeZone) === formatLocalTime(at, BROWSER_TIME_ZONE) &&
  formatLocalDate(at, timeZone) === formatLocalDate(at, BROWSER_TIME_ZONE)
    ? ''
    : ` (${formatTimeZone(timeZone)})`;

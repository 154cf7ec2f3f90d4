import { formatLocalDate, formatLocalTime, formatTimeZone } from './format-local-time.ts';

const browserTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** " (Berlin time)" if the browser's clock shows another time at that moment, else empty. */
export const formatTimeZoneSuffix = (at: string | Date, timeZone: string) =>
  formatLocalTime(at, timeZone) === formatLocalTime(at, browserTimeZone) &&
  formatLocalDate(at, timeZone) === formatLocalDate(at, browserTimeZone)
    ? ''
    : ` (${formatTimeZone(timeZone)})`;

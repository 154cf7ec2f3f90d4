/** Formats instants and dates in the time zone of a location. */

export const BROWSER_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options);
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}

export const formatLocalTime = (at: string | Date, timeZone: string) =>
  getFormatter(timeZone, { timeStyle: 'short' }).format(new Date(at));

export const formatLocalDate = (at: string | Date, timeZone: string) =>
  getFormatter(timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(at));

export const formatLocalHour = (at: string | Date, timeZone: string) =>
  getFormatter(timeZone, { hour: 'numeric' }).format(new Date(at));

/** "Fri, Nov 20, 2026, 9:00 AM – 10:00 AM" */
export const formatLocalDateTimeRange = (
  from: string | Date,
  to: string | Date,
  timeZone: string,
) => `${formatLocalDate(from, timeZone)}, ${formatLocalTimeRange(from, to, timeZone)}`;

/** Includes the end date if it differs from the start date. */
export function formatLocalTimeRange(
  from: string | Date,
  to: string | Date,
  timeZone: string,
): string {
  const end = formatLocalTime(to, timeZone);
  const sameDay =
    formatLocalDate(from, timeZone) ===
    formatLocalDate(new Date(new Date(to).getTime() - 1), timeZone);
  return `${formatLocalTime(from, timeZone)} – ${sameDay ? end : `${formatLocalDate(to, timeZone)}, ${end}`}`;
}

/** Formats "09:00" in the browser's language. "24:00" is midnight. */
export const formatTimeOfDay = (time: string) =>
  formatLocalTime(`2000-01-01T${time === '24:00' ? '00:00' : time}:00Z`, 'UTC');

/** Formats YYYY-MM-DD. */
export const formatDate = (day: string) =>
  getFormatter('UTC', { dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));

export const formatLongDate = (day: string) =>
  getFormatter('UTC', { dateStyle: 'full' }).format(new Date(`${day}T00:00:00Z`));

export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** "Europe/Berlin" becomes "Berlin time". */
export const formatTimeZone = (timeZone: string) =>
  timeZone === 'UTC'
    ? 'UTC'
    : `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;

/** " (Berlin time)", or empty if the browser's clock shows the same time. */
export const formatTimeZoneSuffix = (at: string | Date, timeZone: string) =>
  formatLocalTime(at, timeZone) === formatLocalTime(at, BROWSER_TIME_ZONE) &&
  formatLocalDate(at, timeZone) === formatLocalDate(at, BROWSER_TIME_ZONE)
    ? ''
    : ` (${formatTimeZone(timeZone)})`;

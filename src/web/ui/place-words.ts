/** Moments in words, by the clocks of a place. */

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  formats.set(key, known);
  return known;
}

export const clockIn = (at: string | Date, timeZone: string) =>
  format(timeZone, { timeStyle: 'short' }).format(new Date(at));

export const dayIn = (at: string | Date, timeZone: string) =>
  format(timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(at),
  );

export const hourIn = (at: string | Date, timeZone: string) =>
  format(timeZone, { hour: 'numeric' }).format(new Date(at));

/** "Fri, Nov 20, 2026, 9:00 AM – 10:00 AM" */
export const spanIn = (from: string | Date, to: string | Date, timeZone: string) =>
  `${dayIn(from, timeZone)}, ${timesIn(from, to, timeZone)}`;

/** Names the day of the end where it is another one. */
export function timesIn(from: string | Date, to: string | Date, timeZone: string): string {
  const end = clockIn(to, timeZone);
  const sameDay = dayIn(from, timeZone) === dayIn(new Date(new Date(to).getTime() - 1), timeZone);
  return `${clockIn(from, timeZone)} – ${sameDay ? end : `${dayIn(to, timeZone)}, ${end}`}`;
}

/** "09:00" as people here write it; "24:00" is midnight. */
export const timeWords = (time: string) =>
  clockIn(`2000-01-01T${time === '24:00' ? '00:00' : time}:00Z`, 'UTC');

/** A day of the calendar, in words. */
export const dayWords = (day: string) =>
  format('UTC', { dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`));

export const longDayWords = (day: string) =>
  format('UTC', { dateStyle: 'full' }).format(new Date(`${day}T00:00:00Z`));

export function durationWords(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** "Europe/Berlin" is read as "Berlin time". */
export const zoneWords = (timeZone: string) =>
  timeZone === 'UTC'
    ? 'UTC'
    : `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;

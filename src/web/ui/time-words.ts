const UNITS = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const momentFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

export const dayOf = (date: Date) => dayFormat.format(date);
export const momentOf = (date: Date) => momentFormat.format(date);
export const fullMomentOf = (date: Date) => fullFormat.format(date);
export const clockTime = (date: Date) => clockFormat.format(date);

/** Clocks of browser and service differ a little: what has happened is never said to be still to come. */
export function timeSince(date: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - date.getTime()) / 1000);
  return seconds < 45 ? 'just now' : inWords(-seconds);
}

export const timeUntil = (date: Date, now: Date) =>
  inWords(Math.max(0, (date.getTime() - now.getTime()) / 1000));

function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

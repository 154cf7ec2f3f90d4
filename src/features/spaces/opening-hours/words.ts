/** By ISO: 1 is Monday, 7 is Sunday. */
export const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1] ?? '';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** "09:00", of minutes since midnight; the end of a day is "24:00". */
export const clockTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Minutes since midnight of what `clockTime` writes. */
export const minuteOf = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

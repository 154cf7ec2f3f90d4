import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

interface DateTimeProps {
  at: string;
  /** The date, or the time since or until then. */
  format: 'day' | 'since' | 'until';
}

/** A relative or short date with the exact time in a tooltip. */
export function DateTime({ at, format }: DateTimeProps) {
  const now = useNow(15);
  const date = new Date(at);
  const formatters = {
    day: () => formatBrowserDate(date),
    since: () => formatTimeSince(date, now),
    until: () => formatTimeUntil(date, now),
  };
  return (
    <Tooltip label={formatBrowserDateTimeLong(date)}>
      <time dateTime={at}>{formatters[format]()}</time>
    </Tooltip>
  );
}

/** The current time, updated every `everySeconds` seconds. */
export function useNow(everySeconds: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everySeconds * 1000);
    return () => clearInterval(timer);
  }, [everySeconds]);
  return now;
}

const UNITS = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' });
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateTimeFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const longDateTimeFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'long',
});
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

export const formatBrowserDate = (date: Date) => dateFormat.format(date);
export const formatBrowserDateTime = (date: Date) => dateTimeFormat.format(date);
export const formatBrowserDateTimeLong = (date: Date) => longDateTimeFormat.format(date);
export const formatBrowserTime = (date: Date) => timeFormat.format(date);

/** Formats a past time. If the clock of the browser is slow, it says "just now". */
function formatTimeSince(date: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - date.getTime()) / 1000);
  return seconds < 45 ? 'just now' : formatRelativeSeconds(-seconds);
}

export const formatTimeUntil = (date: Date, now: Date) =>
  formatRelativeSeconds(Math.max(0, (date.getTime() - now.getTime()) / 1000));

function formatRelativeSeconds(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relativeFormat.format(Math.round(seconds / length), unit);
}

import { Tooltip } from '@mantine/core';
import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';
import {
  formatLocalDate,
  formatLocalDateTime,
  formatLocalTime,
  formatLongTime,
  formatTimeZone,
} from '../../core/time/format.ts';
import { getPageLanguage } from '../language/page-texts.ts';
import { BROWSER_TIME_ZONE } from './wall-clock.ts';

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

/** The time on the clock of the service, while it renders a page. */
export const RenderTimeContext = createContext<Date | null>(null);

/** The current time, updated every `everySeconds` seconds. */
export function useNow(everySeconds: number): Date {
  const renderTime = use(RenderTimeContext);
  const [now, setNow] = useState(() => renderTime ?? new Date());
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

export const formatBrowserDate = (date: Date) =>
  formatLocalDate(date, BROWSER_TIME_ZONE, getPageLanguage());
export const formatBrowserDateTime = (date: Date) =>
  formatLocalDateTime(date, BROWSER_TIME_ZONE, getPageLanguage());
export const formatBrowserDateTimeLong = (date: Date) =>
  formatLongTime(date, BROWSER_TIME_ZONE, getPageLanguage());
export const formatBrowserTime = (date: Date) => formatLocalTime(date, BROWSER_TIME_ZONE);

/** " (Berlin time)", or empty if the browser's clock shows the same time. */
export const formatTimeZoneSuffix = (at: string | Date, timeZone: string) =>
  formatLocalDateTime(at, timeZone) === formatLocalDateTime(at, BROWSER_TIME_ZONE)
    ? ''
    : ` (${formatTimeZone(timeZone, getPageLanguage())})`;

/**
 * Returns `formatTimeZoneSuffix` for pages that the service renders. The service cannot know the zone of a browser, so the suffix
 * is empty until the browser has taken over the page.
 */
export const useTimeZoneSuffix = (): typeof formatTimeZoneSuffix =>
  useSyncExternalStore(
    subscribeToNothing,
    () => formatTimeZoneSuffix,
    () => formatNoSuffix,
  );

const formatNoSuffix = () => '';
const subscribeToNothing = () => () => undefined;

/** Formats a past time. If the clock of the browser is slow, it says "just now". */
function formatTimeSince(date: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - date.getTime()) / 1000);
  return seconds < 45 ? formatNow() : formatRelativeSeconds(-seconds);
}

const formatNow = () =>
  getPageLanguage() === 'en' ? 'just now' : createRelativeFormat('auto').format(0, 'minute');

export const formatTimeUntil = (date: Date, now: Date) =>
  formatRelativeSeconds(Math.max(0, (date.getTime() - now.getTime()) / 1000));

function formatRelativeSeconds(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return createRelativeFormat('always').format(Math.round(seconds / length), unit);
}

const createRelativeFormat = (numeric: 'always' | 'auto') =>
  new Intl.RelativeTimeFormat(getPageLanguage(), { numeric });

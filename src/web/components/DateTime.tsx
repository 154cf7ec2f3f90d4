import { Tooltip } from '@mantine/core';
import {
  formatBrowserDate,
  formatBrowserDateTimeLong,
  formatTimeSince,
  formatTimeUntil,
} from './format-browser-time.ts';
import { useNow } from './use-now.ts';

interface Props {
  at: string;
  /** The date, the time since, or the time until. */
  format: 'day' | 'since' | 'until';
}

/** A relative or short date with the exact time in a tooltip. */
export function DateTime({ at, format }: Props) {
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

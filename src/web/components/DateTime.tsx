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
  /** The day itself, or how long ago, or how long until. */
  format: 'day' | 'since' | 'until';
}

/** A moment in words; the exact one is in the tooltip and for programs. */
export function DateTime({ at, format }: Props) {
  const now = useNow(15);
  const date = new Date(at);
  const words = {
    day: () => formatBrowserDate(date),
    since: () => formatTimeSince(date, now),
    until: () => formatTimeUntil(date, now),
  };
  return (
    <Tooltip label={formatBrowserDateTimeLong(date)}>
      <time dateTime={at}>{words[format]()}</time>
    </Tooltip>
  );
}

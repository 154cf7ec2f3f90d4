import { Tooltip } from '@mantine/core';
import { dayOf, fullMomentOf, timeSince, timeUntil } from './time-words.ts';
import { useNow } from './use-now.ts';

interface Props {
  at: string;
  /** The day itself, or how long ago, or how long until. */
  as: 'day' | 'since' | 'until';
}

/** A moment in words; the exact one is in the tooltip and for programs. */
export function Moment({ at, as }: Props) {
  const now = useNow(15);
  const date = new Date(at);
  const words = {
    day: () => dayOf(date),
    since: () => timeSince(date, now),
    until: () => timeUntil(date, now),
  };
  return (
    <Tooltip label={fullMomentOf(date)}>
      <time dateTime={at}>{words[as]()}</time>
    </Tooltip>
  );
}

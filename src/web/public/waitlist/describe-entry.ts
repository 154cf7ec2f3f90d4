import { formatTimeZoneSuffix } from '../../components/browser-time.tsx';
import { formatLongTime } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import type { OwnEntry } from './queries.ts';

/** Says what a person waits for and what happens next, without a place on the list, which would change all the time. */
export function describeEntry(entry: OwnEntry): string {
  const { status, quantity, offeredQuantity } = entry;
  switch (status) {
    case 'WAITING':
      return getText('waitlist.waiting', { count: quantity });
    case 'OFFERED': {
      const offered = offeredQuantity ?? quantity;
      const rest = quantity - offered;
      return [
        formatOffer(entry, offered),
        ...(rest > 0 ? [getText('waitlist.waitingForMore', { count: rest })] : []),
      ].join(' ');
    }
    case 'ACCEPTED':
      return getText('waitlist.accepted');
    case 'EXPIRED':
      return getText('waitlist.expired');
    case 'WITHDRAWN':
      return getText('waitlist.withdrawn');
  }
}

function formatOffer({ offeredUntil, timeZone }: OwnEntry, count: number): string {
  if (offeredUntil === null) return getText('waitlist.offered', { count });
  const until = formatLongTime(offeredUntil, timeZone);
  const time = until + formatTimeZoneSuffix(offeredUntil, timeZone);
  return getText('waitlist.offeredUntil', { count, time });
}

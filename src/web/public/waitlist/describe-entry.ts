import { formatLongTime } from '../../../core/time/format.ts';
import { formatTimeZoneSuffix } from '../../components/browser-time.tsx';
import type { OwnEntry } from './queries.ts';

const formatTickets = (count: number) => (count === 1 ? 'one ticket' : `${count} tickets`);

/** Says what a person waits for and what happens next, without a place on the list, which would change all the time. */
export function describeEntry(entry: OwnEntry): string {
  const { status, quantity, offeredQuantity } = entry;
  switch (status) {
    case 'WAITING':
      return `You’re waiting for ${formatTickets(quantity)}. We’ll email you when it’s your turn.`;
    case 'OFFERED': {
      const offered = offeredQuantity ?? quantity;
      const rest = quantity - offered;
      return [
        `We’re holding ${formatTickets(offered)} for you${formatDeadline(entry)}. Open our latest email to pay or confirm by then.`,
        ...(rest > 0 ? [`You stay on the list for ${formatTickets(rest)} more.`] : []),
      ].join(' ');
    }
    case 'ACCEPTED':
      return 'You’ve accepted the offer. You’ll find your tickets in the confirmation email.';
    case 'EXPIRED':
      return 'You’re no longer on this list, because the offer expired or the event was cancelled.';
    case 'WITHDRAWN':
      return 'You’ve left this waiting list.';
  }
}

function formatDeadline({ offeredUntil, timeZone }: OwnEntry): string {
  if (offeredUntil === null) return '';
  const until = formatLongTime(offeredUntil, timeZone);
  return ` until ${until}${formatTimeZoneSuffix(offeredUntil, timeZone)}`;
}

import { dayIn } from '../../../ui/place-words.ts';
import { exactClockIn } from '../../../ui/shown-twice.ts';
import type { EventDetails, TicketType } from '../event-queries.ts';

/** Whether it is for sale, as a colour and a word, and until or from when. */
export function saleOf(
  { active, saleState, salesStartAt, salesEndAt }: TicketType,
  { status, timeZone }: EventDetails,
): { color: string; label: string; until?: string } {
  const moment = (at: string) => `${dayIn(at, timeZone)}, ${exactClockIn(at, timeZone)}`;
  if (!active) return { color: 'gray', label: 'Stopped' };
  switch (saleState) {
    case 'NOT_YET':
      return {
        color: 'yellow',
        label: 'Not yet',
        until:
          salesStartAt === null || (status === 'DRAFT' && new Date(salesStartAt) <= new Date())
            ? 'Once it is published'
            : `From ${moment(salesStartAt)}`,
      };
    case 'OPEN':
      return {
        color: 'teal',
        label: 'On sale',
        ...(salesEndAt && { until: `Until ${moment(salesEndAt)}` }),
      };
    case 'SOLD_OUT':
      return { color: 'orange', label: 'Sold out' };
    case 'CLOSED':
      return { color: 'gray', label: 'Over' };
  }
}

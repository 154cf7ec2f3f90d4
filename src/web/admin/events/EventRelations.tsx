import { RelatedList } from '../../components/RelatedList.tsx';
import { AttemptsTable } from '../front-desk/AttemptsTable.tsx';
import { TicketsTable } from '../orders/AdmissionTables.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import type { EventDetails } from './event-page-query.ts';
import { WaitlistTable } from './Waitlist.tsx';

interface Props {
  event: EventDetails;
}

/** The newest orders and tickets of an event. Renders nothing without access to orders. */
export function EventSales({ event: { id, orders, tickets, checkIns } }: Props) {
  if (!orders || !tickets) return null;
  return (
    <>
      <RelatedList
        title="Orders"
        list={orders}
        all={{ to: `/events/${id}/orders`, noun: 'orders' }}
        empty="No orders yet. They appear here as people order tickets."
      >
        {(orders) => <OrdersTable orders={orders} variant="event" />}
      </RelatedList>
      <RelatedList
        title="Tickets"
        description="Issued tickets, newest first. The full list is sorted by name."
        list={tickets}
        all={{ to: `/events/${id}/tickets`, noun: 'tickets' }}
        hasOthers={tickets.nodes.length > 0}
        empty="No tickets are issued yet."
      >
        {(tickets) => (
          <TicketsTable tickets={tickets} variant="event" hasCheckIns={checkIns !== undefined} />
        )}
      </RelatedList>
    </>
  );
}

/** Who has come to the event. Renders nothing without access to check-ins. */
export function EventCheckIns({ event: { id, checkIns } }: Props) {
  if (!checkIns) return null;
  return (
    <RelatedList
      title="Check-ins"
      description="People who were admitted. The full list includes rejected attempts."
      list={checkIns}
      all={{ to: `/events/${id}/check-ins`, noun: 'check-ins' }}
      hasOthers
      empty="No one has checked in yet."
    >
      {(attempts) => <AttemptsTable label="Check-ins" attempts={attempts} />}
    </RelatedList>
  );
}

/** Who waits for tickets. Renders nothing without access to orders. */
export function EventWaitlist({ event: { id, waitlist } }: Props) {
  if (!waitlist) return null;
  return (
    <RelatedList
      title="Waiting list"
      description="People waiting for sold-out tickets. Returned tickets are offered by email, one person at a time, for up to a day, or less if the event starts soon."
      list={waitlist}
      all={{ to: `/events/${id}/waitlist`, noun: 'entries' }}
      empty="The waiting list is empty."
    >
      {(entries) => <WaitlistTable entries={entries} />}
    </RelatedList>
  );
}

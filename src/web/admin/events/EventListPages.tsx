import { useParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { RelatedListPage } from '../../components/RelatedList.tsx';
import { AttemptsTable } from '../front-desk/AttemptsTable.tsx';
import { TicketsTable } from '../orders/AdmissionTables.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import {
  useEventCheckIns,
  useEventOrders,
  useEventTickets,
  useEventWaitlist,
} from './event-lists.ts';
import { WaitlistTable } from './Waitlist.tsx';

function useEventId() {
  const { eventId = '' } = useParams();
  return eventId;
}

export function EventOrdersPage() {
  const eventId = useEventId();
  return (
    <RelatedListPage
      title="Orders"
      backTo={`/events/${eventId}`}
      pages={useEventOrders(eventId)}
      empty="No orders yet."
    >
      {(orders) => <OrdersTable orders={orders} variant="event" />}
    </RelatedListPage>
  );
}

export function EventTicketsPage() {
  const eventId = useEventId();
  const hasCheckIns = can(useStaffViewer(), 'check-ins:read');
  return (
    <RelatedListPage
      title="Tickets"
      backTo={`/events/${eventId}`}
      pages={useEventTickets(eventId, hasCheckIns)}
      empty="No tickets yet."
    >
      {(tickets) => <TicketsTable tickets={tickets} variant="event" hasCheckIns={hasCheckIns} />}
    </RelatedListPage>
  );
}

export function EventCheckInsPage() {
  const eventId = useEventId();
  return (
    <RelatedListPage
      title="Check-ins"
      backTo={`/events/${eventId}`}
      pages={useEventCheckIns(eventId)}
      empty="No check-ins yet."
    >
      {(attempts) => <AttemptsTable label="Check-ins" attempts={attempts} />}
    </RelatedListPage>
  );
}

export function EventWaitlistPage() {
  const eventId = useEventId();
  return (
    <RelatedListPage
      title="Waiting list"
      backTo={`/events/${eventId}`}
      pages={useEventWaitlist(eventId)}
      empty="The waiting list is empty."
    >
      {(entries) => <WaitlistTable entries={entries} />}
    </RelatedListPage>
  );
}

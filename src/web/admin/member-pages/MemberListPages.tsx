import { useParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { RelatedListPage } from '../../components/RelatedList.tsx';
import { MemberBookingsTable } from '../bookings/BookingsTable.tsx';
import { AttemptsTable } from '../front-desk/AttemptsTable.tsx';
import { DayPassesTable, TicketsTable } from '../orders/AdmissionTables.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import {
  useMemberBookings,
  useMemberCheckIns,
  useMemberDayPasses,
  useMemberOrders,
  useMemberTickets,
} from './member-lists.ts';

function useMemberId() {
  const { memberId = '' } = useParams();
  return memberId;
}

export function MemberBookingsPage() {
  const memberId = useMemberId();
  return (
    <RelatedListPage
      title="Bookings"
      backTo={`/members/${memberId}`}
      pages={useMemberBookings(memberId)}
      empty="No bookings yet."
    >
      {(bookings) => <MemberBookingsTable label="Bookings" bookings={bookings} />}
    </RelatedListPage>
  );
}

export function MemberOrdersPage() {
  const memberId = useMemberId();
  return (
    <RelatedListPage
      title="Orders"
      backTo={`/members/${memberId}`}
      pages={useMemberOrders(memberId)}
      empty="No orders yet."
    >
      {(orders) => <OrdersTable orders={orders} variant="member" />}
    </RelatedListPage>
  );
}

export function MemberTicketsPage() {
  const memberId = useMemberId();
  const hasCheckIns = can(useStaffViewer(), 'check-ins:read');
  return (
    <RelatedListPage
      title="Tickets"
      backTo={`/members/${memberId}`}
      pages={useMemberTickets(memberId, hasCheckIns)}
      empty="No tickets yet."
    >
      {(tickets) => <TicketsTable tickets={tickets} variant="member" hasCheckIns={hasCheckIns} />}
    </RelatedListPage>
  );
}

export function MemberDayPassesPage() {
  const memberId = useMemberId();
  return (
    <RelatedListPage
      title="Day passes"
      backTo={`/members/${memberId}`}
      pages={useMemberDayPasses(memberId)}
      empty="No day passes yet."
    >
      {(dayPasses) => <DayPassesTable dayPasses={dayPasses} />}
    </RelatedListPage>
  );
}

export function MemberCheckInsPage() {
  const memberId = useMemberId();
  return (
    <RelatedListPage
      title="Check-ins"
      backTo={`/members/${memberId}`}
      pages={useMemberCheckIns(memberId)}
      empty="No check-ins yet."
    >
      {(attempts) => <AttemptsTable label="Check-ins" attempts={attempts} />}
    </RelatedListPage>
  );
}

import { useNow } from '../../components/browser-time.tsx';
import { RelatedList } from '../../components/RelatedList.tsx';
import { MemberBookingsTable } from '../bookings/BookingsTable.tsx';
import { AttemptsTable } from '../front-desk/AttemptsTable.tsx';
import { DayPassesTable, TicketsTable } from '../orders/AdmissionTables.tsx';
import { OrdersTable } from '../orders/OrdersTable.tsx';
import type { MemberDetails } from './member-page-query.ts';

interface Props {
  member: MemberDetails;
}

/** The next and the last bookings of a member. Renders nothing without access to bookings. */
export function MemberBookings({ member }: Props) {
  const now = useNow(60).toISOString();
  const { upcomingBookings, startedBookings } = member;
  if (!upcomingBookings || !startedBookings) return null;
  const all = { to: `/members/${member.id}/bookings`, noun: 'bookings' };
  // A current booking has started, too, but is listed as upcoming.
  const past = startedBookings.nodes.filter(({ endsAt }) => endsAt <= now);
  const current = startedBookings.nodes.length - past.length;
  const { value, text } = startedBookings.totalCount;
  const count = value - current;
  return (
    <>
      <RelatedList title="Upcoming bookings" list={upcomingBookings} empty="No upcoming bookings.">
        {(bookings) => <MemberBookingsTable label="Upcoming bookings" bookings={bookings} />}
      </RelatedList>
      <RelatedList
        title="Past bookings"
        list={{
          nodes: past,
          totalCount: { value: count, text: current === 0 ? text : String(count) },
        }}
        all={all}
        hasOthers
        empty="No past bookings."
      >
        {(bookings) => <MemberBookingsTable label="Past bookings" bookings={bookings} />}
      </RelatedList>
    </>
  );
}

/** The orders of a member with their tickets and day passes. Renders nothing without access to orders. */
export function MemberOrders({ member }: Props) {
  const { id, orders, tickets, dayPasses, checkIns } = member;
  if (!orders || !tickets || !dayPasses) return null;
  return (
    <>
      <RelatedList
        title="Orders"
        description="Placed while signed in"
        list={orders}
        all={{ to: `/members/${id}/orders`, noun: 'orders' }}
        empty="No orders yet."
      >
        {(orders) => <OrdersTable orders={orders} variant="member" />}
      </RelatedList>
      <RelatedList
        title="Tickets"
        list={tickets}
        all={{ to: `/members/${id}/tickets`, noun: 'tickets' }}
        empty="No tickets yet."
      >
        {(tickets) => (
          <TicketsTable tickets={tickets} variant="member" hasCheckIns={checkIns !== undefined} />
        )}
      </RelatedList>
      <RelatedList
        title="Day passes"
        list={dayPasses}
        all={{ to: `/members/${id}/day-passes`, noun: 'day passes' }}
        empty="No day passes yet."
      >
        {(dayPasses) => <DayPassesTable dayPasses={dayPasses} />}
      </RelatedList>
    </>
  );
}

/** The last check-ins of a member. Renders nothing without access to check-ins. */
export function MemberCheckIns({ member: { id, checkIns } }: Props) {
  if (!checkIns) return null;
  return (
    <RelatedList
      title="Last check-ins"
      description="Includes rejected attempts"
      list={checkIns}
      all={{ to: `/members/${id}/check-ins`, noun: 'check-ins' }}
      empty="No check-ins yet."
    >
      {(attempts) => <AttemptsTable label="Last check-ins" attempts={attempts} />}
    </RelatedList>
  );
}

import { useParams } from 'react-router';
import { RelatedListPage } from '../../components/RelatedList.tsx';
import { ResourceBookingsTable } from '../bookings/BookingsTable.tsx';
import { EventsTable } from '../events/EventsTable.tsx';
import { useResourceBookings, useResourceEvents } from './resource-page-query.ts';

export function ResourceBookingsPage() {
  const { resourceId = '' } = useParams();
  return (
    <RelatedListPage
      title="Bookings"
      backTo={`/spaces/resources/${resourceId}`}
      pages={useResourceBookings(resourceId)}
      empty="No bookings yet."
    >
      {(bookings) => <ResourceBookingsTable label="Bookings" bookings={bookings} />}
    </RelatedListPage>
  );
}

export function ResourceEventsPage() {
  const { resourceId = '' } = useParams();
  return (
    <RelatedListPage
      title="Events"
      backTo={`/spaces/resources/${resourceId}`}
      pages={useResourceEvents(resourceId)}
      empty="No events yet."
    >
      {(events) => <EventsTable events={events} hasLocation={false} />}
    </RelatedListPage>
  );
}

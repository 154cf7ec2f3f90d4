import { Anchor, Button, List, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { formatLocalTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { useNow } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { formatWeek } from '../../components/opening-hours.ts';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { RelatedList } from '../../components/RelatedList.tsx';
import { ResourceBookingsTable } from '../bookings/BookingsTable.tsx';
import { EventsTable } from '../events/EventsTable.tsx';
import { ResourceForm } from '../spaces/ResourceForm.tsx';
import { formatRules } from '../spaces/ResourceList.tsx';
import { formatResourceType } from '../spaces/resource-labels.ts';
import { PlaceDisplaysTable } from './LocationRelations.tsx';
import { type ResourcePageDetails, useResource } from './resource-page-query.ts';

export function ResourcePage() {
  const { resourceId = '' } = useParams();
  const resource = useResource(resourceId);
  const location = resource.data?.location;
  return (
    <>
      <BackLink to={location ? `/spaces/${location.id}` : '/spaces'}>
        {location?.name ?? 'All locations'}
      </BackLink>
      <QueryBoundary query={resource} height={400}>
        {(resource) => (
          <>
            <PageHeader
              title={resource.name}
              description={`${formatResourceType(resource.type)} at ${resource.location.name}`}
            />
            <Stack>
              <ResourceDetailsCard resource={resource} />
              <FreeToday resource={resource} />
              <ResourceBookings resource={resource} />
              <ResourceEvents resource={resource} />
              <ResourceDisplays resource={resource} />
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface Props {
  resource: ResourcePageDetails;
}

function ResourceDetailsCard({ resource }: Props) {
  const canChange = can(useStaffViewer(), 'spaces:write');
  const editing = useDialog();
  const { name, slug, active, capacity, amenities, pricePerHour, location } = resource;
  return (
    <SectionCard
      title="Details"
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit resource
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Bookable', active ? 'Yes' : 'No'],
          ['Type', formatResourceType(resource.type)],
          ['Capacity', `${capacity} ${capacity === 1 ? 'person' : 'people'}`],
          ['Amenities', amenities.join(', ')],
          ['Price per hour', pricePerHour.amount === 0 ? 'free' : formatMoney(pricePerHour)],
          ['Rules', formatRules(resource)],
          [
            'Location',
            <Anchor key="location" component={Link} to={`/spaces/${location.id}`} size="sm">
              {location.name}
            </Anchor>,
          ],
          ['Address', location.address],
          ['Opening hours', formatWeek(location.openingHours).join(', ')],
          ['Short name', slug],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`} size="lg">
        {() => (
          <ResourceForm locationId={location.id} resource={resource} onClose={editing.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

/** The free times until midnight in the time zone of the location. */
function FreeToday({ resource: { active, availability, location } }: Props) {
  const canBook = can(useStaffViewer(), 'bookings:write') && active;
  const now = useNow(60);
  const { timeZone } = location;
  const today = toLocalDate(now, timeZone);
  const free = (availability?.free ?? []).filter(
    ({ startsAt, endsAt }) => toLocalDate(startsAt, timeZone) === today && new Date(endsAt) > now,
  );
  return (
    <SectionCard
      title="Free today"
      description={formatTimeZone(timeZone)}
      action={
        canBook && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={`/bookings?location=${location.id}&day=${today}`}
          >
            Book
          </Button>
        )
      }
    >
      {free.length === 0 ? (
        <Text size="sm">
          {active ? 'No free time left today.' : 'This resource cannot be booked.'}
        </Text>
      ) : (
        <List size="sm" spacing={4}>
          {free.map(({ startsAt, endsAt }) => (
            <List.Item key={startsAt}>{formatLocalTimeRange(startsAt, endsAt, timeZone)}</List.Item>
          ))}
        </List>
      )}
    </SectionCard>
  );
}

/** The next bookings. Renders nothing without access to bookings. */
const ResourceBookings = ({ resource: { id, bookings } }: Props) =>
  bookings && (
    <RelatedList
      title="Upcoming bookings"
      list={bookings}
      all={{ to: `/spaces/resources/${id}/bookings`, noun: 'bookings' }}
      hasOthers
      empty="No upcoming bookings."
    >
      {(bookings) => <ResourceBookingsTable label="Upcoming bookings" bookings={bookings} />}
    </RelatedList>
  );

/** The next events. Renders nothing without access to events. */
const ResourceEvents = ({ resource: { id, events } }: Props) =>
  events && (
    <RelatedList
      title="Upcoming events"
      list={events}
      all={{ to: `/spaces/resources/${id}/events`, noun: 'events' }}
      hasOthers
      empty="No upcoming events."
    >
      {(events) => <EventsTable events={events} hasLocation={false} />}
    </RelatedList>
  );

/** The displays that show the resource. Renders nothing without access to displays, or if there are none. */
const ResourceDisplays = ({ resource: { displays } }: Props) =>
  displays &&
  displays.nodes.length > 0 && (
    <RelatedList title="Displays" list={displays} empty="">
      {(displays) => <PlaceDisplaysTable displays={displays} />}
    </RelatedList>
  );

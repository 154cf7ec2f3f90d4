import { Button, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { useNow } from '../../components/browser-time.tsx';
import { formatCountOf } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { ClosureList } from '../spaces/ClosureList.tsx';
import { BOOKING_DETAIL_LABELS, EditLocationForm } from '../spaces/LocationForms.tsx';
import type { LocationDetails } from '../spaces/location-queries.ts';
import { OpeningHours } from '../spaces/OpeningHours.tsx';
import { ResourceList } from '../spaces/ResourceList.tsx';
import {
  LocationAnnouncements,
  LocationDayPassTypes,
  LocationDisplays,
  LocationEvents,
} from './LocationRelations.tsx';
import { type LocationPageDetails, useLocation } from './location-page-query.ts';

export function LocationPage() {
  const { locationId = '' } = useParams();
  const canChange = can(useStaffViewer(), 'spaces:write');
  const now = useNow(60);
  const query = useLocation(locationId);
  return (
    <>
      <BackLink to="/spaces">All locations</BackLink>
      <QueryBoundary query={query} height={400}>
        {({ location, resources }) => (
          <>
            <PageHeader
              title={location.name}
              description="Rooms and desks, events, displays and settings of this location."
            />
            <Stack>
              <LocationDetailsCard location={location} canChange={canChange} />
              <ResourceList location={location} resources={resources} canChange={canChange} />
              <LocationEvents location={location} />
              <OpeningHours key={location.id} location={location} canChange={canChange} />
              <ClosureList
                location={location}
                closures={location.closures}
                today={toLocalDate(now, location.timeZone)}
                canChange={canChange}
              />
              <LocationAnnouncements location={location} />
              <LocationDisplays location={location} />
              <LocationDayPassTypes location={location} />
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface LocationDetailsCardProps {
  location: LocationPageDetails;
  canChange: boolean;
}

function LocationDetailsCard({ location, canChange }: LocationDetailsCardProps) {
  const editing = useDialog();
  const { name, slug, address, phone, timeZone, capacity, hostEmail, occupancy } = location;
  return (
    <SectionCard
      title="Details"
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit details
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Name', name],
          ['Short name', slug],
          ['Address', address],
          ['Phone', phone],
          ['Time zone', timeZone],
          ['Capacity', capacity === null ? null : `${capacity} people`],
          ['Checked in now', occupancy && formatCountOf(occupancy.present, occupancy.capacity)],
          ['Kiosk', formatKioskLookup(location)],
          ['Check-in', location.memberAdmission === 'ALL' ? 'All members' : 'Members with a plan'],
          ['Member bookings on displays', BOOKING_DETAIL_LABELS[location.memberBookingsOnDisplays]],
          ['Guest bookings on displays', BOOKING_DETAIL_LABELS[location.guestBookingsOnDisplays]],
          ['Guest notifications', hostEmail],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <EditLocationForm location={location} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

function formatKioskLookup({ lookupNames, lookupAccess }: LocationDetails): string {
  const found = lookupNames ? 'Finds members by name' : 'Asks for an email address or code';
  return lookupAccess === 'KIOSKS' ? `${found}, if paired` : `${found}, for everyone`;
}

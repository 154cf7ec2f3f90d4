import { Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconDoor } from '@tabler/icons-react';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { listAreas } from '../../admin/bookings/resource-groups.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import { RESOURCE_TYPES } from '../../admin/spaces/resource-labels.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { useNow } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { ResourceType } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { MembershipPausedNotice } from '../membership/MembershipPausedNotice.tsx';
import { ConfirmBooking, type SelectedSlot } from './ConfirmBooking.tsx';
import { FreeSlotList } from './FreeSlotList.tsx';
import { useBookPage } from './queries.ts';
import { SearchForm } from './SearchForm.tsx';
import {
  chooseDuration,
  listDurations,
  type SearchCriteria,
  useSearchCriteria,
} from './search-criteria.ts';

/** Preselects the location that was chosen last, since most members use one. */
export function Component() {
  const [criteria, changeCriteria] = useSearchCriteria();
  const [lastLocationId, setLastLocationId] = useLocalStorage<string | null>({
    key: 'foyer-location',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const page = useBookPage(criteria.location ?? lastLocationId);
  return (
    <>
      <PageHeader
        title={getMemberText('book.title')}
        description={getMemberText('book.description')}
      />
      <MembershipPausedNotice status={page.data?.status} />
      <QueryBoundary query={page} height={320}>
        {({ locations, locationId, showsTitles, resources }) => {
          const location = locations.find(({ id }) => id === locationId);
          if (!location) return <NoLocations />;
          return (
            <BookingSearch
              locations={locations}
              location={location}
              showsTitles={showsTitles}
              resources={resources}
              criteria={criteria}
              onChange={(changes) => {
                if (changes.location) setLastLocationId(changes.location);
                changeCriteria(changes);
              }}
            />
          );
        }}
      </QueryBoundary>
    </>
  );
}

const NoLocations = () => (
  <EmptyState icon={IconDoor} title={getMemberText('book.nothingYet')}>
    {getMemberText('book.nothingYetHelp')}
  </EmptyState>
);

interface BookingSearchProps {
  locations: LocationChoice[];
  location: LocationChoice;
  showsTitles: boolean;
  resources: ResourceDetails[];
  criteria: SearchCriteria;
  onChange: (changes: Partial<SearchCriteria>) => void;
}

export function BookingSearch({
  locations,
  location,
  showsTitles,
  resources,
  criteria,
  onChange,
}: BookingSearchProps) {
  const today = toLocalDate(useNow(60), location.timeZone);
  const booking = useDialog<SelectedSlot>();
  const types = RESOURCE_TYPES.filter(({ value }) => resources.some(({ type }) => type === value));
  const type: ResourceType =
    types.find(({ value }) => value === criteria.type)?.value ?? types[0]?.value ?? 'ROOM';
  const areas = listAreas(resources.filter((resource) => resource.type === type));
  const area = areas.find((known) => known === criteria.area) ?? null;
  const ofType = resources.filter(
    (resource) => resource.type === type && (area === null || resource.area === area),
  );
  const durations = listDurations(ofType);
  const resolved = {
    day: criteria.day !== null && criteria.day > today ? criteria.day : today,
    minutes: chooseDuration(criteria.minutes, durations),
    people: type === 'ROOM' ? (criteria.people ?? 1) : 1,
    after: criteria.after,
    type,
    area,
  };
  return (
    <Stack>
      <SearchForm
        locations={locations}
        location={location}
        types={types}
        areas={areas}
        durations={durations}
        today={today}
        criteria={resolved}
        onChange={onChange}
      />
      {resources.length === 0 ? (
        <EmptyState
          icon={IconDoor}
          title={getMemberText('book.nothingAt', { location: location.name })}
        >
          {getMemberText(locations.length > 1 ? 'book.otherLocation' : 'book.nothingHere')}
        </EmptyState>
      ) : (
        <FreeSlotList
          location={location}
          resources={ofType}
          criteria={resolved}
          onChoose={booking.open}
          onDayChange={(day) => onChange({ day })}
        />
      )}
      <Dialog state={booking} title={getMemberText('confirm.title')}>
        {(slot) => (
          <ConfirmBooking
            slot={slot}
            location={location}
            showsTitles={showsTitles}
            onClose={booking.close}
          />
        )}
      </Dialog>
    </Stack>
  );
}

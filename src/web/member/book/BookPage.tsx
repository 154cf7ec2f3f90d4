import { Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconDoor } from '@tabler/icons-react';
import {
  type LocationChoice,
  type ResourceDetails,
  useLocationChoices,
  useResourceList,
} from '../../admin/spaces/queries.ts';
import { RESOURCE_TYPES } from '../../admin/spaces/resource-labels.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useNow } from '../../components/use-now.ts';
import { toLocalDate } from '../../components/wall-clock.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { MembershipPausedNotice } from '../membership/MembershipPausedNotice.tsx';
import { ConfirmBooking, type SelectedSlot } from './ConfirmBooking.tsx';
import { FreeSlotList } from './FreeSlotList.tsx';
import { SearchForm } from './SearchForm.tsx';
import {
  chooseDuration,
  listDurations,
  type SearchCriteria,
  useSearchCriteria,
} from './search-criteria.ts';

export function Component() {
  const locations = useLocationChoices();
  return (
    <>
      <PageHeader title="Book" description="Search for what you need, then choose a free time." />
      <MembershipPausedNotice />
      <QueryBoundary query={locations} height={320}>
        {(locations) =>
          locations.length === 0 ? <NoLocations /> : <LocationSearch locations={locations} />
        }
      </QueryBoundary>
    </>
  );
}

/** Preselects the location that was chosen last, since most members use one. */
function LocationSearch({ locations }: { locations: LocationChoice[] }) {
  const [criteria, changeCriteria] = useSearchCriteria();
  const [lastLocationId, setLastLocationId] = useLocalStorage<string | null>({
    key: 'foyer-location',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const location =
    locations.find(({ id }) => id === criteria.location) ??
    locations.find(({ id }) => id === lastLocationId) ??
    (locations[0] as LocationChoice);
  const resources = useResourceList(location.id);
  return (
    <QueryBoundary query={resources} height={320}>
      {(all) => (
        <BookingSearch
          locations={locations}
          location={location}
          resources={all.filter(({ active }) => active)}
          criteria={criteria}
          onChange={(changes) => {
            if (changes.location) setLastLocationId(changes.location);
            changeCriteria(changes);
          }}
        />
      )}
    </QueryBoundary>
  );
}

const NoLocations = () => (
  <EmptyState icon={IconDoor} title="Nothing to book yet">
    No rooms or desks have been added yet. Ask at the front desk.
  </EmptyState>
);

interface BookingSearchProps {
  locations: LocationChoice[];
  location: LocationChoice;
  resources: ResourceDetails[];
  criteria: SearchCriteria;
  onChange: (changes: Partial<SearchCriteria>) => void;
}

export function BookingSearch({
  locations,
  location,
  resources,
  criteria,
  onChange,
}: BookingSearchProps) {
  const today = toLocalDate(useNow(60), location.timeZone);
  const booking = useDialog<SelectedSlot>();
  const types = RESOURCE_TYPES.filter(({ value }) => resources.some(({ type }) => type === value));
  const type: ResourceType =
    types.find(({ value }) => value === criteria.type)?.value ?? types[0]?.value ?? 'ROOM';
  const ofType = resources.filter((resource) => resource.type === type);
  const durations = listDurations(ofType);
  const resolved = {
    day: criteria.day !== null && criteria.day > today ? criteria.day : today,
    minutes: chooseDuration(criteria.minutes, durations),
    people: type === 'ROOM' ? (criteria.people ?? 1) : 1,
    after: criteria.after,
    type,
  };
  return (
    <Stack>
      <SearchForm
        locations={locations}
        location={location}
        types={types}
        durations={durations}
        today={today}
        criteria={resolved}
        onChange={onChange}
      />
      {resources.length === 0 ? (
        <EmptyState icon={IconDoor} title={`Nothing to book at ${location.name} yet`}>
          {locations.length > 1
            ? 'Choose another location above.'
            : 'No rooms or desks have been added here yet. Ask at the front desk.'}
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
      <Dialog state={booking} title="Confirm your booking">
        {(slot) => <ConfirmBooking slot={slot} location={location} onClose={booking.close} />}
      </Dialog>
    </Stack>
  );
}

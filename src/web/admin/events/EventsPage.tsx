import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { can, isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { SearchField, toSelectOptions, useSearch } from '../../components/ListFilters.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { useUrlQuery } from '../../components/url-query.ts';
import { ImportCalendar } from '../imports/ImportCalendar.tsx';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { EventForm } from './EventForm.tsx';
import { EventsTable } from './EventsTable.tsx';
import { type EventSearch, type EventView, useEvents } from './queries.ts';

/** The URL holds view and location, so that a link or the back button restores them. */
export function EventsPage() {
  const viewer = useStaffViewer();
  const canChange = can(viewer, 'events:write');
  const [query, changeQuery] = useUrlQuery();
  const search = useSearch();
  const view =
    EVENT_VIEW_OPTIONS.find(({ value }) => value === query.get('view'))?.value ?? 'upcoming';
  const locationId = query.get('location');
  const filter = { view, locationId, q: search.q };
  const pages = useEvents(filter);
  const locations = pages.firstPage?.locations;
  const creating = useDialog();
  const importing = useDialog();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Events"
        description="Plan events, sell tickets and see who is coming."
        action={
          canChange &&
          Boolean(locations?.length) && (
            <Group gap="sm">
              {isSpaceManager(viewer) && (
                <Button variant="default" onClick={() => importing.open(true)}>
                  Import
                </Button>
              )}
              <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
                Create an event
              </Button>
            </Group>
          )
        }
      />
      {locations?.length === 0 ? (
        <NoLocationNotice
          instruction="Events take place at a location. Add one under Spaces."
          explanation="Events take place at a location. An owner or manager needs to add one."
        />
      ) : (
        <>
          <EventsToolbar
            locations={locations ?? []}
            view={view}
            locationId={locationId}
            search={search}
            onView={(view) => changeQuery({ view })}
            onLocation={(location) => changeQuery({ location })}
          />
          <InfiniteList pages={pages} empty={<NoEventsNotice filter={filter} />}>
            {(events) => <EventsTable events={events} />}
          </InfiniteList>
        </>
      )}
      <Dialog state={importing} title="Import events" size="xl">
        {() => <ImportCalendar kind="event" targets={locations ?? []} onClose={importing.close} />}
      </Dialog>
      <Dialog state={creating} title="Create an event" size="lg">
        {() => (
          <EventForm
            locations={locations ?? []}
            onSaved={({ id }) => navigate(`/events/${id}`)}
            onClose={creating.close}
          />
        )}
      </Dialog>
    </>
  );
}

function NoEventsNotice({ filter }: { filter: EventSearch }) {
  if (filter.q !== null || filter.locationId !== null) {
    return (
      <EmptyState icon={IconTicket} title="No matching events">
        Try another search, location or view.
      </EmptyState>
    );
  }
  const messages = {
    upcoming: [
      'No upcoming events',
      'Create one. It stays a draft that only staff can see until you publish it.',
    ],
    past: ['No past events', 'Events and their orders stay here after they end.'],
    drafts: ['No drafts', 'Unpublished events are listed here.'],
  } as const;
  const [title, description] = messages[filter.view];
  return (
    <EmptyState icon={IconTicket} title={title}>
      {description}
    </EmptyState>
  );
}

interface EventsToolbarProps {
  locations: LocationChoice[];
  view: EventView;
  locationId: string | null;
  search: ReturnType<typeof useSearch>;
  onView: (view: EventView) => void;
  onLocation: (id: string | null) => void;
}

const EVENT_VIEW_OPTIONS: { value: EventView; label: string }[] = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'drafts', label: 'Drafts' },
];

const EventsToolbar = ({
  locations,
  view,
  locationId,
  search,
  onView,
  onLocation,
}: EventsToolbarProps) => (
  <Group align="flex-end" mb="md" gap="sm">
    <SegmentedControl
      aria-label="Filter events"
      data={EVENT_VIEW_OPTIONS}
      value={view}
      onChange={(view) => onView(view as EventView)}
    />
    <SearchField placeholder="Search titles" search={search} />
    {locations.length > 1 && (
      <Select
        label="Location"
        placeholder="Any"
        w={200}
        data={toSelectOptions(locations)}
        value={locationId}
        onChange={onLocation}
        searchable
        clearable
        nothingFoundMessage="No matching location"
      />
    )}
  </Group>
);

import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { type LocationChoice, useLocationChoices } from '../spaces/queries.ts';
import { EventForm } from './EventForm.tsx';
import { EventsTable } from './EventsTable.tsx';
import { type EventSearch, type EventView, useEvents } from './queries.ts';

const EVENT_VIEWS: EventView[] = ['upcoming', 'past', 'drafts'];

export function EventsPage() {
  const canChange = can(useStaffViewer(), 'events:write');
  const locations = useLocationChoices();
  const creating = useDialog();
  const navigate = useNavigate();
  const add = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Create an event
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Events"
        description="Plan events, sell tickets and see who is coming."
        action={locations.data?.length ? add : null}
      />
      <QueryBoundary query={locations} height={400}>
        {(locations) =>
          locations.length === 0 ? (
            <NoLocationNotice
              instruction="Events take place at a location. Add one under Spaces."
              explanation="Events take place at a location. An owner or manager needs to add one."
            />
          ) : (
            <EventsByView locations={locations} />
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title="Create an event" size="lg">
        {() => (
          <EventForm
            locations={locations.data ?? []}
            onSaved={({ id }) => navigate(`/events/${id}`)}
            onClose={creating.close}
          />
        )}
      </Dialog>
    </>
  );
}

/** The URL holds the filters, so that the browser's back button restores them. */
function EventsByView({ locations }: { locations: LocationChoice[] }) {
  const [searchParams, setSearchParams] = useSearchParams();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const view = EVENT_VIEWS.find((view) => view === searchParams.get('view')) ?? 'upcoming';
  const locationId = locations.find(({ id }) => id === searchParams.get('location'))?.id ?? null;
  const search = { view, locationId, q: q || null };
  const pages = useEvents(search);
  const go = (to: { view?: EventView; location?: string | null }) => {
    const next = { view, location: locationId, ...to };
    setSearchParams(
      { view: next.view, ...(next.location === null ? {} : { location: next.location }) },
      { replace: true },
    );
  };
  return (
    <>
      <EventsToolbar
        locations={locations}
        search={{ ...search, q: text }}
        onView={(view) => go({ view })}
        onLocation={(location) => go({ location })}
        onSearch={setText}
      />
      <InfiniteList pages={pages} empty={<NoEventsNotice search={search} />}>
        {(events) => <EventsTable events={events} />}
      </InfiniteList>
    </>
  );
}

function NoEventsNotice({ search }: { search: EventSearch }) {
  if (search.q !== null || search.locationId !== null) {
    return (
      <EmptyState icon={IconTicket} title="No matching events">
        Try other messages, another location or past events.
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
  const [title, description] = messages[search.view];
  return (
    <EmptyState icon={IconTicket} title={title}>
      {description}
    </EmptyState>
  );
}

interface Props {
  locations: LocationChoice[];
  search: { view: EventView; q: string; locationId: string | null };
  onView: (view: EventView) => void;
  onLocation: (id: string | null) => void;
  onSearch: (text: string) => void;
}

const EVENT_VIEW_OPTIONS: { value: EventView; label: string }[] = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'drafts', label: 'Drafts' },
];

export const EventsToolbar = ({ locations, search, onView, onLocation, onSearch }: Props) => (
  <Group align="flex-end" mb="md" gap="sm">
    <SegmentedControl
      aria-label="Filter events"
      data={EVENT_VIEW_OPTIONS}
      value={search.view}
      onChange={(view) => onView(view as EventView)}
    />
    <TextInput
      type="search"
      label="Search"
      placeholder="Search titles"
      flex="1 1 200px"
      maw={320}
      value={search.q}
      onChange={({ currentTarget: { value } }) => onSearch(value)}
    />
    {locations.length > 1 && (
      <Select
        label="Location"
        placeholder="Any"
        w={200}
        data={locations.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.locationId}
        onChange={onLocation}
        searchable
        clearable
        nothingFoundMessage="No matching location"
      />
    )}
  </Group>
);

import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconEvent, IconPin, IconPlus } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { type Location, useLocations } from '../spaces/queries.ts';
import { EventForm } from './EventForm.tsx';
import { EventsTable } from './EventsTable.tsx';
import { EventsToolbar } from './EventsToolbar.tsx';
import { type EventSearch, type EventView, useEvents } from './queries.ts';

const VIEWS: EventView[] = ['upcoming', 'past', 'drafts'];

export function EventsPage() {
  const mayChange = may(useStaff(), 'events:write');
  const locations = useLocations();
  const creating = useDialog();
  const navigate = useNavigate();
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
      Create an event
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Events"
        description="What happens in your house, and who has tickets for it."
        action={locations.data?.length ? add : null}
      />
      <Loaded query={locations} height={400}>
        {(locations) => (locations.length === 0 ? <NoLocation /> : <List locations={locations} />)}
      </Loaded>
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

/** What is chosen stands in the address, so that the way back leads there. */
function List({ locations }: { locations: Location[] }) {
  const [at, setAt] = useSearchParams();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const view = VIEWS.find((view) => view === at.get('view')) ?? 'upcoming';
  const locationId = locations.find(({ id }) => id === at.get('location'))?.id ?? null;
  const search = { view, locationId, q: q || null };
  const pages = useEvents(search);
  const go = (to: { view?: EventView; location?: string | null }) => {
    const next = { view, location: locationId, ...to };
    setAt(
      { view: next.view, ...(next.location === null ? {} : { location: next.location }) },
      { replace: true },
    );
  };
  return (
    <>
      <EventsToolbar
        locations={locations}
        search={{ ...search, q: typed }}
        onView={(view) => go({ view })}
        onLocation={(location) => go({ location })}
        onSearch={setTyped}
      />
      <PagedList pages={pages} empty={<Empty search={search} />}>
        {(events) => <EventsTable events={events} />}
      </PagedList>
    </>
  );
}

function Empty({ search }: { search: EventSearch }) {
  if (search.q !== null || search.locationId !== null) {
    return (
      <EmptyState icon={IconEvent} title="No such event">
        Try fewer words, another location, or look among those of the past.
      </EmptyState>
    );
  }
  const words = {
    upcoming: [
      'No events to come',
      'Create one: it is a draft, and nobody sees it, until you publish it.',
    ],
    past: ['No events yet that are over', 'They are kept here, with their orders.'],
    drafts: ['No drafts', 'Events that are not published yet are listed here.'],
  } as const;
  const [title, text] = words[search.view];
  return (
    <EmptyState icon={IconEvent} title={title}>
      {text}
    </EmptyState>
  );
}

function NoLocation() {
  const mayChange = may(useStaff(), 'spaces:write');
  return (
    <EmptyState
      icon={IconPin}
      title="First, add a location"
      action={
        mayChange && (
          <Button component={Link} to="/spaces">
            Go to Spaces
          </Button>
        )
      }
    >
      {mayChange
        ? 'An event happens at a location, by its clocks. Add your house under Spaces.'
        : 'An event happens at a location. An owner or a manager adds it.'}
    </EmptyState>
  );
}

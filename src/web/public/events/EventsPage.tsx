import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconCalendar } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EventList } from './EventList.tsx';
import { Filters } from './Filters.tsx';
import { useEvents } from './queries.ts';

export function Component() {
  const [query, setQuery] = useSearchParams();
  const wish = { q: query.get('q') ?? '', tag: query.get('tag') ?? '' };
  const [asked] = useDebouncedValue(wish.q.trim(), 300);
  const events = useEvents({ q: asked, tag: wish.tag });
  const isFiltered = wish.q !== '' || wish.tag !== '';
  const change = (changes: Partial<typeof wish>) =>
    setQuery(
      Object.entries({ ...wish, ...changes }).filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <PageHeader title="Events" description="What is coming, the soonest first." />
      <Filters wish={wish} tags={(events.rows ?? []).flatMap(({ tags }) => tags)} change={change} />
      <PagedList
        pages={events}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconCalendar}
              title="Nothing like that is coming"
              action={
                <Button variant="default" onClick={() => change({ q: '', tag: '' })}>
                  Show all events
                </Button>
              }
            >
              Try another word.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconCalendar}
              title="No events are planned right now"
              action={
                <Button component={Link} to="/day-passes" variant="default">
                  See day passes
                </Button>
              }
            >
              Look again soon. Meanwhile you can come for a day and work here.
            </EmptyState>
          )
        }
      >
        {(rows) => <EventList events={rows} />}
      </PagedList>
    </>
  );
}

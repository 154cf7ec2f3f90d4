import { Button, Chip, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { IconCalendar } from '../../ui/icons.tsx';
import { EventList } from './EventList.tsx';
import { usePublicEvents } from './queries.ts';

export function Component() {
  const [query, setQuery] = useSearchParams();
  const wish = { q: query.get('q') ?? '', tag: query.get('tag') ?? '' };
  const [asked] = useDebouncedValue(wish.q.trim(), 300);
  const events = usePublicEvents({ q: asked, tag: wish.tag });
  const isFiltered = wish.q !== '' || wish.tag !== '';
  const change = (changes: Partial<typeof wish>) =>
    setQuery(
      Object.entries({ ...wish, ...changes }).filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <PageHeader title="Events" description="What is coming, the soonest first." />
      <EventFilters
        search={wish}
        tags={(events.rows ?? []).flatMap(({ tags }) => tags)}
        onChange={change}
      />
      <InfiniteList
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
      </InfiniteList>
    </>
  );
}

interface PublicEventSearch {
  q: string;
  tag: string;
}

interface EventFiltersProps {
  search: PublicEventSearch;
  /** Those of the events that are shown. */
  tags: string[];
  onChange: (changes: Partial<PublicEventSearch>) => void;
}

const MAX_TAGS = 12;

export function EventFilters({ search, tags, onChange }: EventFiltersProps) {
  const offered = [...new Set(tags)].sort().slice(0, MAX_TAGS);
  const shown = search.tag && !offered.includes(search.tag) ? [search.tag, ...offered] : offered;
  return (
    <search>
      <TextInput
        type="search"
        aria-label="Search events"
        placeholder="Search"
        maxLength={200}
        mb="sm"
        value={search.q}
        onChange={({ currentTarget: { value } }) => onChange({ q: value })}
      />
      <Group gap="xs" mb="lg" mih={28} role="group" aria-label="Topics">
        {shown.map((tag) => (
          <Chip
            key={tag}
            size="xs"
            variant="outline"
            checked={tag === search.tag}
            onChange={(checked) => onChange({ tag: checked ? tag : '' })}
          >
            {tag}
          </Chip>
        ))}
      </Group>
    </search>
  );
}

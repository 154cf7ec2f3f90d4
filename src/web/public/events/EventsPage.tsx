import { Button, Chip, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toLimitProps } from '../../components/input-values.ts';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { useUrlQuery } from '../../components/url-query.ts';
import { getText } from '../../language/page-texts.ts';
import { useOfferedPasses } from '../day-passes/queries.ts';
import { EventList } from './EventList.tsx';
import { usePublicEvents } from './queries.ts';
import { SubscribeLink } from './SubscribeLink.tsx';

export function Component() {
  const [query, change] = useUrlQuery();
  const search = { q: query.get('q') ?? '', tag: query.get('tag') ?? '' };
  const [debouncedText] = useDebouncedValue(search.q.trim(), 300);
  const events = usePublicEvents({ q: debouncedText, tag: search.tag });
  const isFiltered = search.q !== '' || search.tag !== '';
  return (
    <>
      <PageHeader
        title={getText('page.events')}
        description={getText('event.upcoming')}
        action={<SubscribeLink tag={search.tag} />}
      />
      <EventFilters
        search={search}
        tags={(events.rows ?? []).flatMap(({ tags }) => tags)}
        onChange={change}
      />
      <InfiniteList
        pages={events}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconCalendar}
              title={getText('event.noMatch')}
              action={
                <Button variant="default" onClick={() => change({ q: '', tag: '' })}>
                  {getText('event.showAll')}
                </Button>
              }
            >
              {getText('event.otherSearch')}
            </EmptyState>
          ) : (
            <NoEvents />
          )
        }
      >
        {(rows) => <EventList events={rows} />}
      </InfiniteList>
    </>
  );
}

/** Leads to the day passes if any are on sale. */
function NoEvents() {
  const { data: passes = [] } = useOfferedPasses(null);
  if (passes.length === 0)
    return (
      <EmptyState icon={IconCalendar} title={getText('event.none')}>
        {getText('event.noneYet')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconCalendar}
      title={getText('event.none')}
      action={
        <Button component={Link} to="/day-passes" variant="default">
          {getText('event.seePasses')}
        </Button>
      }
    >
      {getText('event.noneHelp')}
    </EmptyState>
  );
}

interface PublicEventSearch {
  q: string;
  tag: string;
}

interface EventFiltersProps {
  search: PublicEventSearch;
  /** The tags of the listed events. */
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
        aria-label={getText('event.searchLabel')}
        placeholder={getText('event.search')}
        {...toLimitProps('EventFilter', 'q')}
        mb="sm"
        value={search.q}
        onChange={({ currentTarget: { value } }) => onChange({ q: value })}
      />
      <Group gap="xs" mb="lg" mih={28} role="group" aria-label={getText('event.topics')}>
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

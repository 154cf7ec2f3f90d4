import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { Location } from '../spaces/queries.ts';
import type { EventView } from './queries.ts';

interface Props {
  locations: Location[];
  search: { view: EventView; q: string; locationId: string | null };
  onView: (view: EventView) => void;
  onLocation: (id: string | null) => void;
  onSearch: (typed: string) => void;
}

const VIEWS: { value: EventView; label: string }[] = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'drafts', label: 'Drafts' },
];

export const EventsToolbar = ({ locations, search, onView, onLocation, onSearch }: Props) => (
  <Group align="flex-end" mb="md" gap="sm">
    <SegmentedControl
      aria-label="Which events"
      data={VIEWS}
      value={search.view}
      onChange={(view) => onView(view as EventView)}
    />
    <TextInput
      type="search"
      label="Search"
      placeholder="Words in the title"
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
        nothingFoundMessage="No such location"
      />
    )}
  </Group>
);

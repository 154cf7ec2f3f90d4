import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Select,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { addDays, isCalendarDate } from '../../components/wall-clock.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { formatResourceTypePlural } from '../spaces/resource-labels.ts';
import type { BookableResource } from './day-queries.ts';
import { listAreas, listTypes, type ResourceFilter } from './resource-groups.ts';

interface DayToolbarProps {
  locations: LocationChoice[];
  location: LocationChoice;
  day: string;
  today: string;
  /** While a dialog is open. */
  hotkeysDisabled: boolean;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
  /** Undefined until the day is loaded. */
  resources: readonly BookableResource[] | undefined;
  filter: ResourceFilter;
  onFilter: (changes: Partial<ResourceFilter>) => void;
}

export function DayToolbar({
  locations,
  location,
  day,
  today,
  hotkeysDisabled,
  resources = [],
  filter,
  ...on
}: DayToolbarProps) {
  const step = (days: number) => on.onDay(addDays(day, days));
  useHotkeys(
    hotkeysDisabled
      ? []
      : [
          ['ArrowLeft', () => step(-1)],
          ['ArrowRight', () => step(1)],
          ['T', () => on.onDay(today)],
        ],
  );
  return (
    <Group align="flex-end" gap="sm" mb="md">
      {locations.length > 1 && (
        <Select
          label="Location"
          data={toSelectOptions(locations)}
          value={location.id}
          onChange={(id) => id && on.onLocation(id)}
          allowDeselect={false}
          searchable
          w={{ base: '100%', xs: 220 }}
        />
      )}
      <Group align="flex-end" gap={6}>
        <Tooltip label="Previous day (←)">
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Previous day"
            onClick={() => step(-1)}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
        </Tooltip>
        <TextInput
          type="date"
          label="Day"
          w={150}
          value={day}
          onChange={({ currentTarget: { value } }) => isCalendarDate(value) && on.onDay(value)}
        />
        <Tooltip label="Next day (→)">
          <ActionIcon variant="default" size={36} aria-label="Next day" onClick={() => step(1)}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Today (T)">
          <Button
            variant="default"
            px="sm"
            aria-pressed={day === today}
            onClick={() => on.onDay(today)}
          >
            Today
          </Button>
        </Tooltip>
      </Group>
      <ResourceFilterFields resources={resources} filter={filter} onFilter={on.onFilter} />
    </Group>
  );
}

interface ResourceFilterFieldsProps extends Pick<DayToolbarProps, 'filter' | 'onFilter'> {
  resources: readonly BookableResource[];
}

/** Only what the location has can be chosen. */
function ResourceFilterFields({ resources, filter, onFilter }: ResourceFilterFieldsProps) {
  const types = listTypes(resources);
  const areas = listAreas(resources);
  return (
    <>
      {types.length > 1 && (
        <SegmentedControl
          aria-label="Type"
          data={[
            { value: '', label: 'All' },
            ...types.map(({ value }) => ({ value, label: formatResourceTypePlural(value) })),
          ]}
          value={filter.type ?? ''}
          onChange={(type) => onFilter({ type: (type || null) as ResourceFilter['type'] })}
        />
      )}
      {areas.length > 0 && (
        <Select
          label="Area"
          w={180}
          data={[{ value: '', label: 'All areas' }, ...areas]}
          value={filter.area ?? ''}
          onChange={(area) => onFilter({ area: area || null })}
          allowDeselect={false}
        />
      )}
    </>
  );
}

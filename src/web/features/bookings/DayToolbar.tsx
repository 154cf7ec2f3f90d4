import { ActionIcon, Button, Group, Select, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconLeft, IconRight } from '../../ui/icons.tsx';
import { isDay, nextDay } from '../../ui/wall-clock.ts';
import type { Location } from '../spaces/queries.ts';

interface Props {
  locations: Location[];
  location: Location;
  day: string;
  today: string;
  /** While a dialog is open, its keys are its own. */
  keysRest: boolean;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
}

export function DayToolbar({ locations, location, day, today, keysRest, ...on }: Props) {
  const step = (days: number) => on.onDay(nextDay(day, days));
  useHotkeys(
    keysRest
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
          data={locations.map(({ id, name }) => ({ value: id, label: name }))}
          value={location.id}
          onChange={(id) => id && on.onLocation(id)}
          allowDeselect={false}
          searchable
          w={{ base: '100%', xs: 220 }}
        />
      )}
      <Group align="flex-end" gap={6} wrap="nowrap">
        <Tooltip label="The day before (←)">
          <ActionIcon variant="default" size={36} aria-label="Day before" onClick={() => step(-1)}>
            <IconLeft />
          </ActionIcon>
        </Tooltip>
        <TextInput
          type="date"
          label="Day"
          w={150}
          value={day}
          onChange={({ currentTarget: { value } }) => isDay(value) && on.onDay(value)}
        />
        <Tooltip label="The day after (→)">
          <ActionIcon variant="default" size={36} aria-label="Day after" onClick={() => step(1)}>
            <IconRight />
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
    </Group>
  );
}

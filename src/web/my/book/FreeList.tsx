import { Button, Stack, Text } from '@mantine/core';
import type { Location } from '../../features/spaces/queries.ts';
import type { ResourceDetails } from '../../features/spaces/resource-queries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconCalendar } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { durationWords, zoneWords } from '../../ui/place-words.ts';
import { nextDay, timeAt } from '../../ui/wall-clock.ts';
import type { Choice } from './BookThis.tsx';
import { FreeResource } from './FreeResource.tsx';
import { useFreeTimes } from './queries.ts';
import type { GivenWish } from './WishForm.tsx';

interface Props {
  location: Location;
  resources: ResourceDetails[];
  wish: GivenWish;
  onChoose: (choice: Choice) => void;
  onDay: (day: string) => void;
}

export function FreeList({ location, resources, wish, onChoose, onDay }: Props) {
  const { day, minutes, type, people, after } = wish;
  const { timeZone } = location;
  const times = useFreeTimes({
    locationId: location.id,
    type,
    capacity: people,
    minutes,
    day,
    timeZone,
  });
  const known = new Map(resources.map((resource) => [resource.id, resource]));
  return (
    <Loaded query={times} height={240}>
      {(found) => {
        const shown = found.flatMap(({ resource: { id }, slots }) => {
          const resource = known.get(id);
          const fitting = slots.filter(({ startsAt }) => timeAt(startsAt, timeZone) >= after);
          return resource && fitting.length > 0 ? [{ resource, slots: fitting }] : [];
        });
        const taken = found.filter(
          ({ resource: { id } }) => !shown.some(({ resource }) => resource.id === id),
        );
        if (shown.length === 0) {
          return (
            <EmptyState
              icon={IconCalendar}
              title={`Nothing is free for ${durationWords(minutes)} on that day`}
              action={
                <Button variant="default" onClick={() => onDay(nextDay(day, 1))}>
                  Look at the next day
                </Button>
              }
            >
              {found.length === 0
                ? 'Nothing here is for so many people. Ask for fewer, or choose another location.'
                : 'It may be closed or taken, or the day too far ahead. Try another day, a shorter time, or an earlier one.'}
            </EmptyState>
          );
        }
        return (
          <Stack aria-busy={times.isPlaceholderData} opacity={times.isPlaceholderData ? 0.6 : 1}>
            <Text size="sm" c="dimmed">
              {location.name}, {zoneWords(timeZone)}. Choose when to begin:
            </Text>
            {shown.map((one) => (
              <FreeResource
                key={one.resource.id}
                {...one}
                minutes={minutes}
                timeZone={timeZone}
                onChoose={onChoose}
              />
            ))}
            {taken.length > 0 && (
              <Text size="sm" c="dimmed">
                Not to be had: {taken.map(({ resource }) => resource.name).join(', ')}.
              </Text>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

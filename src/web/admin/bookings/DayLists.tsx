import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { RowAction } from '../../components/DataTable.tsx';
import { BookingBlock, EventBlock, ResourceName } from './BookingBlock.tsx';
import type { DayProps } from './DayBoard.tsx';
import type { BookableResource, DayEvent } from './day-queries.ts';
import { isOpenOn, listResourcesOfDay } from './day-view.ts';
import type { Booking } from './queries.ts';
import { groupResources } from './resource-groups.ts';

type Entry = { startsAt: string } & ({ booking: Booking } | { event: DayEvent });

/** Replaces the board on narrow screens: one list per resource. */
export const DayLists = ({ filter, ...props }: DayProps) => (
  <Stack gap="lg">
    {groupResources(listResourcesOfDay(props.data), filter).map((group) => (
      <Stack key={group.name} component="section" aria-label={group.name} gap="sm">
        <Title order={2} size="h5">
          {group.name}
        </Title>
        <GroupLists {...props} resources={group.resources} />
      </Stack>
    ))}
  </Stack>
);

interface GroupListsProps extends Omit<DayProps, 'filter'> {
  resources: BookableResource[];
}

const GroupLists = ({ day, data, resources, onOpen, onBook }: GroupListsProps) =>
  resources.map((resource) => {
    const entries: Entry[] = [
      ...data.bookings
        .filter((booking) => booking.resource.id === resource.id)
        .map((booking) => ({ startsAt: booking.startsAt, booking })),
      ...data.events
        .filter((event) => event.resource?.id === resource.id)
        .map((event) => ({ startsAt: event.startsAt, event })),
    ].toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
    return (
      <Paper
        key={resource.id}
        component="section"
        aria-label={resource.name}
        withBorder
        radius="md"
        p="sm"
      >
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <ResourceName resource={resource} />
          </div>
          {onBook && resource.active && (
            <RowAction
              label="Book"
              row={resource.name}
              onClick={() => onBook({ day, resourceId: resource.id })}
            />
          )}
        </Group>
        <Entries
          day={day}
          entries={entries}
          isOpen={isOpenOn(day, data.location)}
          timeZone={data.location.timeZone}
          onOpen={onOpen}
        />
      </Paper>
    );
  });

interface EntriesProps {
  day: string;
  entries: Entry[];
  isOpen: boolean;
  timeZone: string;
  onOpen: (booking: Booking) => void;
}

const Entries = ({ day, entries, isOpen, timeZone, onOpen }: EntriesProps) =>
  entries.length === 0 ? (
    <Text size="sm" c="dimmed" mt={4}>
      {isOpen ? 'Free all day' : 'No bookings'}
    </Text>
  ) : (
    <Stack component="ul" gap={6} m={0} mt="xs" p={0} style={{ listStyle: 'none' }}>
      {entries.map((entry) => (
        <li key={'event' in entry ? entry.event.id : entry.booking.id}>
          {'event' in entry ? (
            <EventBlock event={entry.event} day={day} timeZone={timeZone} />
          ) : (
            <BookingBlock booking={entry.booking} day={day} inList onOpen={onOpen} />
          )}
        </li>
      ))}
    </Stack>
  );

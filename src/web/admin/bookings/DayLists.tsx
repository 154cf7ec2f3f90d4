import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { BookingBlock, EventBlock, ResourceName } from './BookingBlock.tsx';
import type { DayProps } from './DayBoard.tsx';
import { isOpenOn } from './day-range.ts';
import type { Booking, DayEvent } from './queries.ts';

type Entry = { startsAt: string } & ({ booking: Booking } | { event: DayEvent });

/** Replaces the board on narrow screens: one list per resource. */
export const DayLists = ({ day, data, events, onRead, onBook }: DayProps) => (
  <Stack gap="sm">
    {data.resources.map((resource) => {
      const entries: Entry[] = [
        ...data.bookings
          .filter((booking) => booking.resource.id === resource.id)
          .map((booking) => ({ startsAt: booking.startsAt, booking })),
        ...events
          .filter((event) => event.resource?.id === resource.id)
          .map((event) => ({ startsAt: event.startsAt, event })),
      ].toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
      if (!resource.active && entries.length === 0) return null;
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
              <Button
                size="xs"
                variant="default"
                aria-label={`Book ${resource.name}`}
                onClick={() => onBook({ day, resourceId: resource.id })}
              >
                Book
              </Button>
            )}
          </Group>
          <Entries
            entries={entries}
            isOpen={isOpenOn(day, data.location)}
            timeZone={data.location.timeZone}
            onRead={onRead}
          />
        </Paper>
      );
    })}
  </Stack>
);

interface EntriesProps {
  entries: Entry[];
  isOpen: boolean;
  timeZone: string;
  onRead: (booking: Booking) => void;
}

const Entries = ({ entries, isOpen, timeZone, onRead }: EntriesProps) =>
  entries.length === 0 ? (
    <Text size="sm" c="dimmed" mt={4}>
      {isOpen ? 'Free all day' : 'No bookings'}
    </Text>
  ) : (
    <Stack component="ul" gap={6} m={0} mt="xs" p={0} style={{ listStyle: 'none' }}>
      {entries.map((entry) => (
        <li key={'event' in entry ? entry.event.id : entry.booking.id}>
          {'event' in entry ? (
            <EventBlock event={entry.event} timeZone={timeZone} />
          ) : (
            <BookingBlock booking={entry.booking} inList onRead={onRead} />
          )}
        </li>
      ))}
    </Stack>
  );

import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import type { LocationChoice, ResourceDetails } from '../../admin/spaces/queries.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { formatDuration, formatTimeZone } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { addDays, toLocalTime } from '../../components/wall-clock.ts';
import { IconCalendar } from '../../ui/icons.tsx';
import type { SelectedSlot } from './ConfirmBooking.tsx';
import { type PricedSlot, useFreeTimes } from './queries.ts';
import type { ResolvedCriteria } from './SearchForm.tsx';
import { TimeButtons } from './TimeButtons.tsx';

interface FreeSlotListProps {
  location: LocationChoice;
  resources: ResourceDetails[];
  criteria: ResolvedCriteria;
  onChoose: (choice: SelectedSlot) => void;
  onDayChange: (day: string) => void;
}

export function FreeSlotList({
  location,
  resources,
  criteria,
  onChoose,
  onDayChange,
}: FreeSlotListProps) {
  const { day, minutes, type, people, after } = criteria;
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
    <QueryBoundary query={times} height={240}>
      {(found) => {
        const shown = found.flatMap(({ resource: { id }, slots }) => {
          const resource = known.get(id);
          const fitting = slots.filter(({ startsAt }) => toLocalTime(startsAt, timeZone) >= after);
          return resource && fitting.length > 0 ? [{ resource, slots: fitting }] : [];
        });
        const taken = found.filter(
          ({ resource: { id } }) => !shown.some(({ resource }) => resource.id === id),
        );
        if (shown.length === 0) {
          return (
            <EmptyState
              icon={IconCalendar}
              title={`Nothing is free for ${formatDuration(minutes)} on that day`}
              action={
                <Button variant="default" onClick={() => onDayChange(addDays(day, 1))}>
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
              {location.name}, {formatTimeZone(timeZone)}. Choose when to begin:
            </Text>
            {shown.map((one) => (
              <FreeResourceCard
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
    </QueryBoundary>
  );
}

const MAX_COLLAPSED_SLOTS = 12;

interface FreeResourceCardProps {
  resource: ResourceDetails;
  slots: PricedSlot[];
  minutes: number;
  timeZone: string;
  onChoose: (choice: SelectedSlot) => void;
}

function FreeResourceCard({ resource, slots, minutes, timeZone, onChoose }: FreeResourceCardProps) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && slots.length > MAX_COLLAPSED_SLOTS + 4;
  const { name, type, capacity, amenities, requiresApproval } = resource;
  const facts = [
    type === 'ROOM' && `for ${capacity}`,
    ...amenities,
    requiresApproval && 'staff has to confirm it',
  ].filter(Boolean);
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title id={id} order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Text size="sm">{slots[0] && formatSlotPrice(slots[0], minutes)}</Text>
      </Group>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      <TimeButtons
        label={`Free times of ${name}`}
        slots={isCut ? slots.slice(0, MAX_COLLAPSED_SLOTS) : slots}
        timeZone={timeZone}
        onChoose={(slot) => onChoose({ resource, ...slot })}
      />
      {isCut && (
        <Anchor component="button" type="button" size="sm" mt="xs" onClick={() => setIsWhole(true)}>
          Show all {slots.length} times of {name}
        </Anchor>
      )}
    </Paper>
  );
}

// Whose price depends on the plan, and the plan on the day: it is the same for all that is shown.
const formatSlotPrice = ({ price }: PricedSlot, minutes: number) =>
  price.amount === 0
    ? `Nothing to pay for ${formatDuration(minutes)}`
    : `${formatMoney(price)} for ${formatDuration(minutes)}`;

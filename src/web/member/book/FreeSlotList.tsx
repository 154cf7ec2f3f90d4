import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { formatDuration, formatTimeZone } from '../../../core/time/format.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { formatMoney } from '../../components/money.ts';
import { EmptyState } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { addDays, toLocalTime } from '../../components/wall-clock.ts';
import type { SelectedSlot } from './ConfirmBooking.tsx';
import { type PricedSlot, useFreeTimes } from './queries.ts';
import type { ResolvedCriteria } from './SearchForm.tsx';
import { TimeButtons } from './TimeButtons.tsx';

interface FreeSlotListProps {
  location: LocationChoice;
  resources: ResourceDetails[];
  criteria: ResolvedCriteria;
  onChoose: (slot: SelectedSlot) => void;
  onDayChange: (day: string) => void;
}

export function FreeSlotList({
  location,
  resources,
  criteria,
  onChoose,
  onDayChange,
}: FreeSlotListProps) {
  const { day, minutes, type, area, people, after } = criteria;
  const { timeZone } = location;
  const times = useFreeTimes({
    locationId: location.id,
    type,
    area,
    capacity: people,
    minutes,
    day,
    timeZone,
  });
  const resourcesById = new Map(resources.map((resource) => [resource.id, resource]));
  return (
    <QueryBoundary query={times} height={240}>
      {(results) => {
        const available = results.flatMap(({ resource: { id }, slots }) => {
          const resource = resourcesById.get(id);
          const later = slots.filter(({ startsAt }) => toLocalTime(startsAt, timeZone) >= after);
          return resource && later.length > 0 ? [{ resource, slots: later }] : [];
        });
        const unavailable = results.filter(
          ({ resource: { id } }) => !available.some(({ resource }) => resource.id === id),
        );
        if (available.length === 0) {
          return (
            <EmptyState
              icon={IconCalendar}
              title={`No free times for ${formatDuration(minutes)} on this day`}
              action={
                <Button variant="default" onClick={() => onDayChange(addDays(day, 1))}>
                  Show the next day
                </Button>
              }
            >
              {results.length === 0
                ? 'Nothing here fits that many people. Try fewer people or another location.'
                : 'It may be closed, fully booked or too far ahead. Try another day, a shorter duration or an earlier start.'}
            </EmptyState>
          );
        }
        const cards = available.map(({ resource, slots }) => (
          <FreeResourceCard
            key={resource.id}
            resource={resource}
            slots={slots}
            minutes={minutes}
            timeZone={timeZone}
            onChoose={onChoose}
          />
        ));
        return (
          <Stack aria-busy={times.isPlaceholderData} opacity={times.isPlaceholderData ? 0.6 : 1}>
            <Text size="sm" c="dimmed">
              {location.name}, {formatTimeZone(timeZone)}. Choose a start time:
            </Text>
            {type === 'DESK' && available.length > 1 ? (
              <AnyDesk
                available={available}
                minutes={minutes}
                timeZone={timeZone}
                area={area}
                onChoose={onChoose}
              >
                {cards}
              </AnyDesk>
            ) : (
              cards
            )}
            {unavailable.length > 0 && unavailable.length <= MAX_NAMED_UNAVAILABLE && (
              <Text size="sm" c="dimmed">
                Unavailable: {unavailable.map(({ resource }) => resource.name).join(', ')}.
              </Text>
            )}
          </Stack>
        );
      }}
    </QueryBoundary>
  );
}

/** More names than this would not be read. */
const MAX_NAMED_UNAVAILABLE = 12;

interface FreeResource {
  resource: ResourceDetails;
  slots: PricedSlot[];
}

interface AnyDeskProps {
  available: FreeResource[];
  minutes: number;
  timeZone: string;
  area: string | null;
  onChoose: (slot: SelectedSlot) => void;
  /** The desks, for those who want a particular one. */
  children: ReactNode;
}

/** One list of times for all desks: most people need a desk, whichever it is. */
function AnyDesk({ available, minutes, timeZone, area, onChoose, children }: AnyDeskProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const times = mergeSlots(available);
  return (
    <>
      <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md">
        <Group justify="space-between" align="baseline" gap="xs">
          <Title id={id} order={2} size="h5">
            Any free desk
          </Title>
          <Text size="sm">{times[0] && formatSlotPrice(times[0].slot, minutes)}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {available.length} desks have free times. You see which one is yours after booking.
        </Text>
        <TimeButtons
          label="Free times for any desk"
          slots={times.map(({ slot }) => slot)}
          timeZone={timeZone}
          onChoose={(chosen) => {
            const found = times.find(({ slot }) => slot.startsAt === chosen.startsAt);
            if (found) onChoose({ resource: found.resource, ...chosen, isAny: true, area });
          }}
        />
      </Paper>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        style={{ alignSelf: 'flex-start' }}
      >
        {isOpen ? 'Hide the desks' : 'Choose a particular desk'}
      </Anchor>
      {isOpen && children}
    </>
  );
}

interface CheapestSlot {
  resource: ResourceDetails;
  slot: PricedSlot;
}

/** All start times in order, each with the cheapest desk that is free then. */
function mergeSlots(available: FreeResource[]): CheapestSlot[] {
  const byStart = new Map<string, CheapestSlot>();
  for (const { resource, slots } of available) {
    for (const slot of slots) {
      const known = byStart.get(slot.startsAt);
      if (!known || isBetter({ resource, slot }, known))
        byStart.set(slot.startsAt, { resource, slot });
    }
  }
  return [...byStart.values()].toSorted((a, b) => a.slot.startsAt.localeCompare(b.slot.startsAt));
}

/** The service books in this order. */
const isBetter = (a: CheapestSlot, b: CheapestSlot) =>
  a.slot.price.amount < b.slot.price.amount ||
  (a.slot.price.amount === b.slot.price.amount &&
    b.resource.requiresApproval &&
    !a.resource.requiresApproval);

const MAX_COLLAPSED_SLOTS = 12;

interface FreeResourceCardProps {
  resource: ResourceDetails;
  slots: PricedSlot[];
  minutes: number;
  timeZone: string;
  onChoose: (slot: SelectedSlot) => void;
}

function FreeResourceCard({ resource, slots, minutes, timeZone, onChoose }: FreeResourceCardProps) {
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const isCollapsed = !isExpanded && slots.length > MAX_COLLAPSED_SLOTS + 4;
  const { name, type, capacity, amenities, requiresApproval } = resource;
  const features = [
    type === 'ROOM' && formatCapacity(capacity),
    ...amenities,
    requiresApproval && 'requires approval',
  ].filter(Boolean);
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title id={id} order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Text size="sm">{slots[0] && formatSlotPrice(slots[0], minutes)}</Text>
      </Group>
      {features.length > 0 && (
        <Text size="sm" c="dimmed">
          {features.join(' · ')}
        </Text>
      )}
      <TimeButtons
        label={`Free times for ${name}`}
        slots={isCollapsed ? slots.slice(0, MAX_COLLAPSED_SLOTS) : slots}
        timeZone={timeZone}
        onChoose={(slot) => onChoose({ resource, ...slot })}
      />
      {isCollapsed && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt="xs"
          onClick={() => setIsExpanded(true)}
        >
          Show all {slots.length} times for {name}
        </Anchor>
      )}
    </Paper>
  );
}

const formatCapacity = (capacity: number) =>
  capacity === 1 ? 'for one person' : `up to ${capacity} people`;

// The price depends on the plan and the day, so it is the same for all slots shown.
const formatSlotPrice = ({ price }: PricedSlot, minutes: number) =>
  price.amount === 0
    ? `No charge for ${formatDuration(minutes)}`
    : `${formatMoney(price)} for ${formatDuration(minutes)}`;

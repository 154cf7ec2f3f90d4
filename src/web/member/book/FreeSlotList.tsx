import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { formatDuration } from '../../../core/time/format.ts';
import type { MemberTextKey } from '../../../languages/member/en.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { EmptyState } from '../../components/PageLayout.tsx';
import { formatPrice } from '../../components/prices.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { addDays, toLocalTime } from '../../components/wall-clock.ts';
import type { EmptyAvailabilityReason } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatLongDate, formatTimeZone } from '../../language/page-dates.ts';
import type { SelectedSlot } from './ConfirmBooking.tsx';
import { type PricedSlot, useEmptyDay, useFreeTimes } from './queries.ts';
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
  const params = { locationId: location.id, type, area, capacity: people, minutes, day, timeZone };
  const times = useFreeTimes(params);
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
            <EmptyDay params={params} isTooSmall={results.length === 0} onDayChange={onDayChange} />
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
              {getMemberText('book.chooseStart', {
                location: location.name,
                zone: formatTimeZone(timeZone),
              })}
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
                {getMemberText('book.unavailable', {
                  names: unavailable.map(({ resource }) => resource.name).join(', '),
                })}
              </Text>
            )}
          </Stack>
        );
      }}
    </QueryBoundary>
  );
}

const REASON_TEXTS = {
  INACTIVE: 'book.inactive',
  LENGTH_NOT_OFFERED: 'book.lengthNotOffered',
  NOT_ALLOWED: 'book.notAllowed',
  TOO_LATE: 'book.tooLate',
  TOO_EARLY: 'book.tooEarly',
  CLOSED: 'book.closed',
  BOOKED_OUT: 'book.bookedOut',
  TOO_SHORT: 'book.tooShort',
} as const satisfies Record<EmptyAvailabilityReason, MemberTextKey>;

interface EmptyDayProps {
  params: Parameters<typeof useEmptyDay>[0];
  /** Whether no resource has room for that many people. */
  isTooSmall: boolean;
  onDayChange: (day: string) => void;
}

/** Says why nothing is free on a day, and offers the next one on which something is. */
function EmptyDay({ params, isTooSmall, onDayChange }: EmptyDayProps) {
  const { day, minutes } = params;
  const { reason, nextFreeOn } = useEmptyDay(params).data ?? {};
  const help = reason ? REASON_TEXTS[reason] : 'book.noTimesHelp';
  return (
    <EmptyState
      icon={IconCalendar}
      title={getMemberText('book.noTimes', { duration: formatDuration(minutes) })}
      action={
        <Button variant="default" onClick={() => onDayChange(nextFreeOn ?? addDays(day, 1))}>
          {nextFreeOn
            ? getMemberText('book.showDay', { day: formatLongDate(nextFreeOn) })
            : getMemberText('book.showNextDay')}
        </Button>
      }
    >
      {getMemberText(isTooSmall ? 'book.tooManyPeople' : help)}
    </EmptyState>
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
            {getMemberText('book.anyDesk')}
          </Title>
          <Text size="sm">{times[0] && formatSlotPrice(times[0].slot, minutes)}</Text>
        </Group>
        <Text size="sm" c="dimmed">
          {getMemberText('book.anyDeskHelp', { count: available.length })}
        </Text>
        <TimeButtons
          label={getMemberText('book.anyDeskTimes')}
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
        {getMemberText(isOpen ? 'book.hideDesks' : 'book.chooseDesk')}
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
    type === 'ROOM' && getMemberText('book.capacity', { count: capacity }),
    ...amenities,
    requiresApproval && getMemberText('book.needsApproval'),
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
        label={getMemberText('book.timesOf', { resource: name })}
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
          {getMemberText('book.showAllTimes', { count: slots.length, resource: name })}
        </Anchor>
      )}
    </Paper>
  );
}

// The price depends on the plan and the day, so it is the same for all slots shown.
const formatSlotPrice = ({ price }: PricedSlot, minutes: number) =>
  price.amount === 0
    ? getMemberText('book.slotFree', { duration: formatDuration(minutes) })
    : getMemberText('book.slotPrice', {
        money: formatPrice(price),
        duration: formatDuration(minutes),
      });

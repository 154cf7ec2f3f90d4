import { ActionIcon, Alert, Button, Group, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDoor,
  IconMapPin,
  IconPlus,
} from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { formatLongDate, formatTimeZone } from '../../components/format-local-time.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useNow } from '../../components/use-now.ts';
import { addDays, isCalendarDate, toLocalDate, toStartOfDay } from '../../components/wall-clock.ts';
import { formatDaySpan } from '../spaces/opening-hours.ts';
import { type LocationChoice, useLocationChoices } from '../spaces/queries.ts';
import { BookingDialog } from './BookingDialog.tsx';
import type { BookingPrefill } from './booking-form-values.ts';
import { DayBoard } from './DayBoard.tsx';
import { DayLists } from './DayLists.tsx';
import { findClosure, findOpeningHours } from './day-range.ts';
import { NewBookingForm } from './NewBookingForm.tsx';
import { type Booking, type BookingLocation, useBookingDay, useDayEvents } from './queries.ts';

export function BookingsPage() {
  const locations = useLocationChoices();
  return (
    <QueryBoundary query={locations} height={400}>
      {([first, ...others]) =>
        first ? <BookingsAtLocation locations={[first, ...others]} /> : <NoLocation />
      }
    </QueryBoundary>
  );
}

/** The place and the day stand in the address, so that the way back leads there. */
function BookingsAtLocation({ locations }: { locations: [LocationChoice, ...LocationChoice[]] }) {
  const [at, setAt] = useSearchParams();
  const now = useNow(30);
  const location = locations.find(({ id }) => id === at.get('location')) ?? locations[0];
  const today = toLocalDate(now, location.timeZone);
  const asked = at.get('day');
  const day = asked && isCalendarDate(asked) ? asked : today;
  const go = (to: { location?: string; day?: string }) =>
    setAt({ location: to.location ?? location.id, day: to.day ?? day }, { replace: true });
  return (
    <LocationDay
      key={location.id}
      locations={locations}
      location={location}
      day={day}
      today={today}
      onLocation={(id) => go({ location: id })}
      onDay={(day) => go({ day })}
    />
  );
}

function NoLocation() {
  const canChange = can(useStaffViewer(), 'spaces:write');
  return (
    <>
      <PageHeader title="Bookings" description="Who is in which room, and when." />
      <EmptyState
        icon={IconMapPin}
        title="First, add a location"
        action={
          canChange && (
            <Button component={Link} to="/spaces">
              Go to Spaces
            </Button>
          )
        }
      >
        {canChange
          ? 'Add your house under Spaces, then its rooms and desks. Their day is shown here.'
          : 'An owner or a manager adds it, and its rooms and desks. Their day is then shown here.'}
      </EmptyState>
    </>
  );
}

interface LocationDayProps {
  locations: LocationChoice[];
  location: LocationChoice;
  day: string;
  today: string;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
}

/** The front desk's day at one location, by its clocks. */
export function LocationDay({
  locations,
  location,
  day,
  today,
  onLocation,
  onDay,
}: LocationDayProps) {
  const viewer = useStaffViewer();
  const canBook = can(viewer, 'bookings:write');
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const { timeZone } = location;
  const from = toStartOfDay(day, timeZone).toISOString();
  const to = toStartOfDay(addDays(day, 1), timeZone).toISOString();
  const data = useBookingDay(location.id, day, from, to);
  const events = useDayEvents(location.id, from, to, can(viewer, 'events:read'));
  const booking = useDialog<BookingPrefill>();
  const reading = useDialog<Booking>();
  const isAsking = booking.opened || reading.opened;
  const View = wide ? DayBoard : DayLists;
  return (
    <>
      <PageHeader
        title="Bookings"
        description={`${formatLongDate(day)}, by ${formatTimeZone(timeZone)}, the clocks of ${location.name}.`}
        action={
          canBook &&
          data.data?.resources.length !== 0 && (
            <Button leftSection={<IconPlus size={18} />} onClick={() => booking.open({ day })}>
              New booking
            </Button>
          )
        }
      />
      <DayToolbar
        locations={locations}
        location={location}
        day={day}
        today={today}
        hotkeysDisabled={isAsking}
        onLocation={onLocation}
        onDay={onDay}
      />
      <QueryBoundary query={data} height={360}>
        {(data) =>
          data.resources.length === 0 ? (
            <NoResourcesNotice location={location} />
          ) : (
            <>
              <OpeningHoursNotice day={day} place={data.location} />
              <View
                day={day}
                data={data}
                events={events.data ?? []}
                onRead={reading.open}
                {...(canBook && { onBook: booking.open })}
              />
              {wide && (
                <Text size="xs" c="dimmed" mt="xs">
                  {canBook && 'Click on a free stretch to book it. '}← and → turn the day, T leads
                  to today.
                </Text>
              )}
            </>
          )
        }
      </QueryBoundary>
      <Dialog state={booking} title={`New booking at ${location.name}`} size="lg">
        {(wish) => (
          <NewBookingForm
            location={location}
            resources={data.data?.resources ?? []}
            prefill={wish}
            onBooked={onDay}
            onClose={booking.close}
          />
        )}
      </Dialog>
      <BookingDialog state={reading} onMoved={onDay} />
    </>
  );
}

export function NoResourcesNotice({ location }: { location: { id: string; name: string } }) {
  const canChange = can(useStaffViewer(), 'spaces:write');
  return (
    <EmptyState
      icon={IconDoor}
      title={`Nothing can be booked at ${location.name} yet`}
      action={
        canChange && (
          <Button component={Link} to={`/spaces/${location.id}`}>
            Add rooms and desks
          </Button>
        )
      }
    >
      {canChange
        ? 'Add the first room or desk, and set when the location is open.'
        : 'An owner or a manager adds rooms and desks under Spaces.'}
    </EmptyState>
  );
}

/** When the location is open on a day, or why it is not. */
export function OpeningHoursNotice({ day, place }: { day: string; place: BookingLocation }) {
  const closure = findClosure(day, place);
  if (closure) {
    return (
      <Alert color="orange" mb="sm" title="Closed on this day">
        {closure.reason && <Text size="sm">{closure.reason}</Text>}
        <Text size="sm">Bookings that were made before stay: move or cancel them.</Text>
      </Alert>
    );
  }
  const open = findOpeningHours(day, place).map(formatDaySpan).join(', ');
  const words = place.openingHours.length === 0 ? 'Always open' : open ? `Open ${open}` : 'Closed';
  return (
    <Text size="sm" mb="sm">
      {words}
    </Text>
  );
}

interface DayToolbarProps {
  locations: LocationChoice[];
  location: LocationChoice;
  day: string;
  today: string;
  /** While a dialog is open, its keys are its own. */
  hotkeysDisabled: boolean;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
}

export function DayToolbar({
  locations,
  location,
  day,
  today,
  hotkeysDisabled,
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
        <Tooltip label="The day after (→)">
          <ActionIcon variant="default" size={36} aria-label="Day after" onClick={() => step(1)}>
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
    </Group>
  );
}

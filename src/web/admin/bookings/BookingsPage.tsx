import { ActionIcon, Alert, Button, Group, Select, Text, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconDoor, IconPlus } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { formatLongDate, formatTimeZone } from '../../components/format-local-time.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useNow } from '../../components/use-now.ts';
import { addDays, isCalendarDate, toLocalDate, toStartOfDay } from '../../components/wall-clock.ts';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { formatDaySpan } from '../spaces/opening-hours.ts';
import type { LocationChoice } from '../spaces/queries.ts';
import { BookingDialog } from './BookingDialog.tsx';
import type { BookingPrefill } from './booking-form-values.ts';
import { DayBoard } from './DayBoard.tsx';
import { DayLists } from './DayLists.tsx';
import { findClosure, findOpeningHours } from './day-range.ts';
import { findDefaultDay, findDefaultLocation } from './default-view.ts';
import { NewBookingForm } from './NewBookingForm.tsx';
import {
  type Booking,
  type BookingLocation,
  type LocationOption,
  useBookingDay,
  useBookingLocations,
  useDayEvents,
} from './queries.ts';

export function BookingsPage() {
  const locations = useBookingLocations();
  return (
    <QueryBoundary query={locations} height={400}>
      {([first, ...others]) =>
        first ? <BookingsAtLocation locations={[first, ...others]} /> : <NoLocation />
      }
    </QueryBoundary>
  );
}

/** The URL holds location and day, so that the browser's back button restores them. */
function BookingsAtLocation({ locations }: { locations: [LocationOption, ...LocationOption[]] }) {
  const [searchParams, setSearchParams] = useSearchParams();
  const [lastLocationId, setLastLocationId] = useLocalStorage<string | null>({
    key: 'foyer bookings-location',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const now = useNow(30);
  const location =
    locations.find(({ id }) => id === searchParams.get('location')) ??
    findDefaultLocation(locations, lastLocationId, now);
  const dayParam = searchParams.get('day');
  const day = dayParam && isCalendarDate(dayParam) ? dayParam : findDefaultDay(location, now);
  const go = (target: { location?: string; day?: string }) =>
    setSearchParams(
      { location: target.location ?? location.id, day: target.day ?? day },
      { replace: true },
    );
  const changeLocation = (id: string) => {
    setLastLocationId(id);
    go({ location: id });
  };
  return (
    <LocationDay
      key={location.id}
      locations={locations}
      location={location}
      day={day}
      today={toLocalDate(now, location.timeZone)}
      onLocation={changeLocation}
      onDay={(day) => go({ day })}
    />
  );
}

function NoLocation() {
  return (
    <>
      <PageHeader title="Bookings" description="See who booked which room and when." />
      <NoLocationNotice
        instruction="Add a location under Spaces, then its rooms and desks. Their bookings appear here."
        explanation="An owner or manager needs to add a location with rooms and desks."
      />
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

/** One day at one location, in its time zone. */
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
  const isDialogOpen = booking.opened || reading.opened;
  const View = wide ? DayBoard : DayLists;
  return (
    <>
      <PageHeader
        title="Bookings"
        description={`${formatLongDate(day)} at ${location.name} (${formatTimeZone(timeZone)})`}
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
        hotkeysDisabled={isDialogOpen}
        onLocation={onLocation}
        onDay={onDay}
      />
      <QueryBoundary query={data} height={360}>
        {(data) =>
          data.resources.length === 0 ? (
            <NoResourcesNotice location={location} />
          ) : (
            <>
              <OpeningHoursNotice day={day} location={data.location} />
              <View
                day={day}
                data={data}
                events={events.data ?? []}
                onRead={reading.open}
                {...(canBook && { onBook: booking.open })}
              />
              {wide && (
                <Text size="xs" c="dimmed" mt="xs">
                  {canBook && 'Click a free time to book it. '}Press ← or → to change the day, T for
                  today.
                </Text>
              )}
            </>
          )
        }
      </QueryBoundary>
      <Dialog state={booking} title={`New booking at ${location.name}`} size="lg">
        {(prefill) => (
          <NewBookingForm
            location={location}
            resources={data.data?.resources ?? []}
            prefill={prefill}
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
        ? 'Add a room or desk, then set the opening hours.'
        : 'An owner or manager can add rooms and desks under Spaces.'}
    </EmptyState>
  );
}

/** Shows the opening hours of the day, or why the location is closed. */
export function OpeningHoursNotice({ day, location }: { day: string; location: BookingLocation }) {
  const closure = findClosure(day, location);
  if (closure) {
    return (
      <Alert color="orange" mb="sm" title="Closed on this day">
        {closure.reason && <Text size="sm">{closure.reason}</Text>}
        <Text size="sm">Existing bookings stay until you move or cancel them.</Text>
      </Alert>
    );
  }
  const open = findOpeningHours(day, location).map(formatDaySpan).join(', ');
  const text =
    location.openingHours.length === 0 ? 'Always open' : open ? `Open ${open}` : 'Closed';
  return (
    <Text size="sm" mb="sm">
      {text}
    </Text>
  );
}

interface DayToolbarProps {
  locations: LocationChoice[];
  location: LocationChoice;
  day: string;
  today: string;
  /** Hotkeys are off while a dialog is open. */
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
    </Group>
  );
}

import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { readLocalStorageValue, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconDoor, IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { formatLongDate, formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { can, isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { useNow } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatDaySpan } from '../../components/opening-hours.ts';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useUrlQuery } from '../../components/url-query.ts';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { ImportCalendar } from '../imports/ImportCalendar.tsx';
import { SetupChecklist } from '../setup/SetupChecklist.tsx';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { BookingDialog } from './BookingDialog.tsx';
import type { BookingPrefill } from './booking-form-values.ts';
import { DayBoard } from './DayBoard.tsx';
import { DayLists } from './DayLists.tsx';
import { DayToolbar } from './DayToolbar.tsx';
import {
  type BookingLocation,
  type LocationDay,
  type LocationOption,
  useBookingDay,
  useBookingLocations,
} from './day-queries.ts';
import { findClosure, findDefaultDay, findDefaultLocation, findOpeningHours } from './day-view.ts';
import { NewBookingForm } from './NewBookingForm.tsx';
import type { Booking } from './queries.ts';
import { useRequestCount } from './request-queries.ts';
import { type ResourceFilter, readResourceFilter } from './resource-groups.ts';

export function BookingsPage() {
  const locations = useBookingLocations(useExpectedDay());
  return (
    <QueryBoundary query={locations} height={400}>
      {([first, ...others]) =>
        first ? <BookingsAtLocation locations={[first, ...others]} /> : <NoLocation />
      }
    </QueryBoundary>
  );
}

/** The location that this browser has shown last, and the day that it opened with. */
interface ShownLocation {
  id: string;
  timeZone: string;
  today: string;
  defaultDay: string;
}

const LAST_LOCATION_KEY = 'foyer bookings-location';
const SHOWN_LOCATION_KEY = 'foyer bookings-shown-location';

/**
 * The day that the page will probably show, before the locations are loaded: of the location in the URL or the last one.
 * Null if its time zone is unknown, because this browser has not shown it last.
 */
function useExpectedDay(): LocationDay | null {
  const [searchParams] = useSearchParams();
  const lastLocationId = readLocalStorageValue<string | null>({ key: LAST_LOCATION_KEY });
  const shown = readLocalStorageValue<ShownLocation | null>({ key: SHOWN_LOCATION_KEY });
  const locationId = searchParams.get('location') ?? lastLocationId ?? shown?.id;
  if (!shown || shown.id !== locationId) return null;
  const day = searchParams.get('day');
  const today = toLocalDate(new Date(), shown.timeZone);
  const defaultDay = shown.today === today ? shown.defaultDay : today;
  return { location: shown, day: day && isCalendarDate(day) ? day : defaultDay };
}

/** Saves what the next visit needs to load its day together with the locations. */
function useShownLocation(location: LocationOption, now: Date) {
  const { id, timeZone } = location;
  const today = toLocalDate(now, timeZone);
  const defaultDay = findDefaultDay(location, now);
  const [, setShown] = useLocalStorage<ShownLocation | null>({
    key: SHOWN_LOCATION_KEY,
    defaultValue: null,
  });
  useEffect(
    () => setShown({ id, timeZone, today, defaultDay }),
    [id, timeZone, today, defaultDay, setShown],
  );
}

/** The URL holds location, day and filters, so that a link or the back button restores them. */
function BookingsAtLocation({ locations }: { locations: [LocationOption, ...LocationOption[]] }) {
  const [query, changeQuery] = useUrlQuery();
  const [lastLocationId, setLastLocationId] = useLocalStorage<string | null>({
    key: LAST_LOCATION_KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const now = useNow(30);
  const location =
    locations.find(({ id }) => id === query.get('location')) ??
    findDefaultLocation(locations, lastLocationId, now);
  const dayParam = query.get('day');
  const day = dayParam && isCalendarDate(dayParam) ? dayParam : findDefaultDay(location, now);
  useShownLocation(location, now);
  const changeLocation = (id: string) => {
    setLastLocationId(id);
    changeQuery({ location: id, day });
  };
  return (
    <BookingsOfDay
      key={location.id}
      locations={locations}
      location={location}
      day={day}
      today={toLocalDate(now, location.timeZone)}
      onLocation={changeLocation}
      onDay={(day) => changeQuery({ location: location.id, day })}
    />
  );
}

function NoLocation() {
  return (
    <>
      <PageHeader title="Bookings" description="See who booked which room and when." />
      <SetupChecklist />
      <NoLocationNotice
        instruction="Add a location under Spaces, then its rooms and desks. Their bookings appear here."
        explanation="An owner or manager needs to add a location with rooms and desks."
      />
    </>
  );
}

/** Requests are for any day, so the calendar of one day does not show them all. */
function RequestsNotice() {
  const count = useRequestCount(true).data;
  if (!count || count.value === 0) return null;
  return (
    <Anchor component={Link} to="/bookings/requests" size="sm" display="block" mb="sm">
      {count.value === 1 ? '1 booking needs approval' : `${count.text} bookings need approval`}
    </Anchor>
  );
}

interface BookingsOfDayProps {
  locations: LocationChoice[];
  location: LocationChoice;
  day: string;
  today: string;
  onLocation: (id: string) => void;
  onDay: (day: string) => void;
}

/** One day at one location, in its time zone. */
function BookingsOfDay({ locations, location, day, today, onLocation, onDay }: BookingsOfDayProps) {
  const viewer = useStaffViewer();
  const canBook = can(viewer, 'bookings:write');
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const { timeZone } = location;
  const data = useBookingDay({ location, day });
  const creating = useDialog<BookingPrefill>();
  const viewing = useDialog<Booking>();
  const importing = useDialog();
  const isDialogOpen = creating.opened || viewing.opened || importing.opened;
  const View = wide ? DayBoard : DayLists;
  const [query, changeQuery] = useUrlQuery();
  const filter = readResourceFilter(query, data.data?.resources ?? []);
  const changeFilter = ({ type, area }: Partial<ResourceFilter>) =>
    changeQuery({
      ...(type !== undefined && { type: type?.toLowerCase() ?? null }),
      ...(area !== undefined && { area }),
    });
  return (
    <>
      <PageHeader
        title="Bookings"
        description={`${formatLongDate(day)} at ${location.name} (${formatTimeZone(timeZone)})`}
        action={
          <Group gap="sm">
            <Button component={Link} to="/bookings/list" variant="default">
              All bookings
            </Button>
            {isSpaceManager(viewer) && Boolean(data.data?.resources.length) && (
              <Button variant="default" onClick={() => importing.open(true)}>
                Import
              </Button>
            )}
            {canBook && data.data?.resources.length !== 0 && (
              <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open({ day })}>
                New booking
              </Button>
            )}
          </Group>
        }
      />
      <SetupChecklist />
      {canBook && <RequestsNotice />}
      <DayToolbar
        locations={locations}
        location={location}
        day={day}
        today={today}
        hotkeysDisabled={isDialogOpen}
        onLocation={onLocation}
        onDay={onDay}
        resources={data.data?.resources}
        filter={filter}
        onFilter={changeFilter}
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
                filter={filter}
                onOpen={viewing.open}
                {...(canBook && { onBook: creating.open })}
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
      <Dialog state={creating} title={`New booking at ${location.name}`} size="lg">
        {(prefill) => (
          <NewBookingForm
            location={location}
            resources={data.data?.resources ?? []}
            prefill={prefill}
            onBooked={onDay}
            onClose={creating.close}
          />
        )}
      </Dialog>
      <Dialog state={importing} title={`Import bookings at ${location.name}`} size="xl">
        {() => (
          <ImportCalendar
            kind="booking"
            targets={data.data?.resources ?? []}
            onClose={importing.close}
          />
        )}
      </Dialog>
      <BookingDialog state={viewing} onRescheduled={onDay} />
    </>
  );
}

function NoResourcesNotice({ location }: { location: { id: string; name: string } }) {
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
function OpeningHoursNotice({ day, location }: { day: string; location: BookingLocation }) {
  const closure = findClosure(day, location);
  if (closure) {
    return (
      <Alert color="orange" mb="sm" title="Closed on this day">
        {closure.reason && <Text size="sm">{closure.reason}</Text>}
        <Text size="sm">Existing bookings stay until you reschedule or cancel them.</Text>
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

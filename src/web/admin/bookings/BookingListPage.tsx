import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { formatLocalDateTimeRange } from '../../../core/time/format.ts';
import { useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { ExportButton } from '../../components/ExportButton.tsx';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { formatMoney } from '../../components/money.ts';
import { BackLink, EmptyState, PageHeader, StatusBadge } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import {
  addDays,
  BROWSER_TIME_ZONE,
  isCalendarDate,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import type { BookingFilter, BookingPaymentStatus, BookingStatus } from '../../gql/graphql.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import { type LocationDetails, useLocationList } from '../spaces/location-queries.ts';
import { LoadingTeamSelect } from '../teams/TeamSelect.tsx';
import { BookingSteps } from './BookingDialog.tsx';
import { holderColumn, statusColumn } from './booking-columns.tsx';
import { BOOKING_CSV_HEADER, toBookingCsvLines } from './booking-csv.ts';
import { formatHolder, getBookingStatusLabels, isActiveBooking } from './booking-labels.ts';
import {
  fetchExportedBookings,
  type ListedBooking,
  useBookingList,
  useBookingTotals,
  useFilterNames,
} from './list-queries.ts';
import { PAYMENT_STATUS_LABELS } from './payments.ts';

/** All bookings, with filters. The URL contains them, so that they can be shared. */
export function BookingListPage() {
  const viewer = useStaffViewer();
  const filters = useFilters();
  const { filter } = filters;
  const pages = useBookingList(filter);
  const reading = useDialog<ListedBooking>();
  return (
    <>
      <BackLink to="/bookings">Calendar</BackLink>
      <PageHeader
        title="All bookings"
        description="Find bookings by day, status and payment: no-shows, or what members still have to pay."
        action={
          <ExportButton
            fileName="bookings.csv"
            noun="bookings"
            header={BOOKING_CSV_HEADER}
            load={(after, signal) => fetchExportedBookings(filter, { viewer, after, signal })}
            toLines={toBookingCsvLines}
          />
        }
      />
      <Filters {...filters} />
      <Totals filter={filter} />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconCalendar} title="No bookings match">
            Choose other days, or remove a filter.
          </EmptyState>
        }
      >
        {(bookings) => (
          <DataTable
            label="Bookings"
            columns={columns}
            rows={bookings}
            getKey={({ id }) => id}
            isEnded={(booking) => !isActiveBooking(booking)}
            actions={(booking) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Details: ${booking.resource.name}, ${formatHolder(booking)}`}
                onClick={() => reading.open(booking)}
              >
                Details
              </Button>
            )}
          />
        )}
      </InfiniteList>
      <Dialog state={reading} title={reading.subject?.resource.name ?? 'Booking'} size="lg">
        {({ id }) => (
          <BookingSteps key={id} id={id} onRescheduled={() => {}} onClose={reading.close} />
        )}
      </Dialog>
    </>
  );
}

function useFilters() {
  const [params, setParams] = useSearchParams();
  const locations = useLocationList();
  const get = (key: string) => params.get(key) || null;
  const getDay = (key: string) => {
    const day = params.get(key) ?? '';
    return isCalendarDate(day) ? day : '';
  };
  const location = locations.data?.find(({ id }) => id === get('location')) ?? null;
  const timeZone = (location ?? locations.data?.[0])?.timeZone ?? BROWSER_TIME_ZONE;
  const [from, to] = [getDay('from'), getDay('to')];
  const status = get('status') as BookingStatus | null;
  const payment = get('payment') as BookingPaymentStatus | null;
  const filter: BookingFilter = {
    ...(status && { status: [status] }),
    ...(payment && { payment: [payment] }),
    ...(from && { from: toStartOfDay(from, timeZone).toISOString() }),
    ...(to && { to: toStartOfDay(addDays(to, 1), timeZone).toISOString() }),
    ...(get('location') && { locationId: get('location') }),
    ...(get('resource') && { resourceId: get('resource') }),
    ...(get('member') && { memberId: get('member') }),
    ...(get('team') && { teamId: get('team') }),
  };
  return {
    filter,
    locations: locations.data,
    from,
    to,
    get,
    set: (changed: Record<string, string | null>) => {
      const next = { ...Object.fromEntries(params), ...changed };
      setParams(
        Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1])),
        { replace: true },
      );
    },
  };
}

interface FiltersProps {
  locations: LocationDetails[] | undefined;
  from: string;
  to: string;
  get: (key: string) => string | null;
  set: (changed: Record<string, string | null>) => void;
}

const toOptions = <Status extends string>(labels: Record<Status, [color: string, label: string]>) =>
  Object.entries<[string, string]>(labels).map(([value, [, label]]) => ({ value, label }));

function Filters({ locations, from, to, get, set }: FiltersProps) {
  const names = useFilterNames(get('member'), get('location'));
  const member = names.data?.member ?? null;
  return (
    <Group align="flex-end" mb="md" gap="sm">
      <TextInput
        type="date"
        label="From"
        value={from}
        onChange={({ currentTarget: { value } }) => set({ from: value })}
      />
      <TextInput
        type="date"
        label="To"
        value={to}
        error={from && to && to < from ? 'Before the first day' : null}
        onChange={({ currentTarget: { value } }) => set({ to: value })}
      />
      <Select
        label="Status"
        placeholder="Any"
        clearable
        w={150}
        data={toOptions(getBookingStatusLabels())}
        value={get('status')}
        onChange={(status) => set({ status })}
      />
      <Select
        label="Payment"
        placeholder="Any"
        clearable
        w={160}
        data={toOptions(PAYMENT_STATUS_LABELS)}
        value={get('payment')}
        onChange={(payment) => set({ payment })}
      />
      {locations && (
        <Select
          label="Location"
          placeholder="All"
          clearable
          w={180}
          data={toSelectOptions(locations)}
          value={get('location')}
          onChange={(location) => set({ location, resource: null })}
        />
      )}
      {names.data?.location && (
        <Select
          label="Resource"
          placeholder="All"
          clearable
          searchable
          w={180}
          data={toSelectOptions(names.data.location.resources?.nodes)}
          value={get('resource')}
          onChange={(resource) => set({ resource })}
        />
      )}
      <MemberSelect
        key={member?.id ?? 'none'}
        value={member}
        onChange={(selected) => set({ member: selected?.id ?? null })}
      />
      <LoadingTeamSelect
        value={get('team')}
        onChange={(team) => set({ team })}
        placeholder="Any"
        w={160}
      />
    </Group>
  );
}

/** Sums need a range of days, or a status of which there are few bookings. */
const canAddUp = ({ from, to, payment }: BookingFilter) =>
  Boolean(from && to) || payment?.[0] === 'UNPAID' || payment?.[0] === 'OVERPAID';

function Totals({ filter }: { filter: BookingFilter }) {
  const totals = useBookingTotals(filter, canAddUp(filter));
  if (!canAddUp(filter) || !totals.data) return null;
  return totals.data.map(({ count, due, paid, open, surplus }) => (
    <Text key={due.currency} size="sm" mb="sm" role="status">
      {count} {count === 1 ? 'booking' : 'bookings'}: {formatMoney(due)} due, {formatMoney(paid)}{' '}
      paid, <b>{formatMoney(open)} unpaid</b>
      {surplus.amount > 0 && `, ${formatMoney(surplus)} to be returned`}
    </Text>
  ));
}

const columns: Column<ListedBooking>[] = [
  {
    header: 'When',
    cell: ({ startsAt, endsAt, location: { timeZone, name } }) => (
      <>
        <Text size="sm" fw={600}>
          {formatLocalDateTimeRange(startsAt, endsAt, timeZone)}
        </Text>
        <Text size="xs" c="dimmed">
          {name}
        </Text>
      </>
    ),
  },
  {
    header: 'Resource',
    cell: ({ resource, title }) => (
      <>
        <Text size="sm">{resource.name}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
      </>
    ),
  },
  holderColumn,
  statusColumn,
  {
    header: 'Payment',
    cell: ({ payment: { status, due, open, surplus } }) => {
      const [color, label] = PAYMENT_STATUS_LABELS[status];
      const rest = status === 'UNPAID' ? open : status === 'OVERPAID' ? surplus : due;
      return (
        <>
          <StatusBadge color={color}>{label}</StatusBadge>
          {rest.amount > 0 && (
            <Text size="xs" c="dimmed" mt={4}>
              {formatMoney(rest)}
            </Text>
          )}
        </>
      );
    },
  },
];

import { Alert, Anchor, Button, Group, Select, Table, Text, Title } from '@mantine/core';
import { IconCash, IconPrinter } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import type { Money } from '../../../core/money.ts';
import { formatLocalDateTime, formatLongDate } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DayField } from '../../components/DayField.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { formatMoney } from '../../components/money.ts';
import { BackLink, EmptyState, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import { addDays, isCalendarDate } from '../../components/wall-clock.ts';
import { type LocationDetails, useLocationList } from '../spaces/location-queries.ts';
import { CloseDayForm, CorrectClosingForm } from './ClosingForms.tsx';
import classes from './ClosingPage.module.css';
import { type DailyClosing, useCashDay, useDailyClosings } from './queries.ts';

/** The URL contains the location and the day. */
export function ClosingPage() {
  const locations = useLocationList();
  return (
    <>
      <div className={classes.screen}>
        <BackLink to="/takings">Takings</BackLink>
      </div>
      <QueryBoundary query={locations} height={400}>
        {([first, ...others]) =>
          first ? (
            <ClosingAtLocation locations={[first, ...others]} />
          ) : (
            <EmptyState icon={IconCash} title="No locations yet">
              Add a location first.
            </EmptyState>
          )
        }
      </QueryBoundary>
    </>
  );
}

/** How far back staff can close a day. */
const MAX_PAST_DAYS = 3_650;

function ClosingAtLocation({ locations }: { locations: [LocationDetails, ...LocationDetails[]] }) {
  const [params, setParams] = useSearchParams();
  const seesAll = isSpaceManager(useStaffViewer());
  const location = locations.find(({ id }) => id === params.get('location')) ?? locations[0];
  const today = toLocalDate(new Date(), location.timeZone);
  const given = params.get('day') ?? '';
  const day = isCalendarDate(given) ? given : today;
  const show = (changed: { location?: string; day?: string }) =>
    setParams({ location: location.id, day, ...changed }, { replace: true });
  const cashDay = useCashDay(location.id, day);
  return (
    <>
      <PageHeader
        title="Daily closing"
        description={`${location.name}, ${formatLongDate(day)}`}
        action={
          <Button
            className={classes.screen}
            variant="default"
            leftSection={<IconPrinter size={18} />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        }
      />
      <Group align="flex-end" mb="md" gap="sm" className={classes.screen}>
        {locations.length > 1 && (
          <Select
            label="Location"
            data={toSelectOptions(locations)}
            value={location.id}
            onChange={(id) => id && show({ location: id })}
            allowDeselect={false}
          />
        )}
        <DayField
          today={addDays(today, -MAX_PAST_DAYS)}
          day={day}
          onChange={(next) => show({ day: next })}
        />
      </Group>
      <QueryBoundary query={cashDay}>
        {(cash) =>
          cash.closing ? (
            <ClosingReport key={cash.closing.id} closing={cash.closing} location={location} />
          ) : cash.canClose ? (
            <SectionCard title="Count the cash">
              <CloseDayForm key={day} locationId={location.id} day={day} cash={cash} />
            </SectionCard>
          ) : (
            <EmptyState icon={IconCash} title="This day has not begun">
              Close it at its end.
            </EmptyState>
          )
        }
      </QueryBoundary>
      {seesAll && <EarlierClosings location={location} />}
    </>
  );
}

interface ClosingReportProps {
  closing: DailyClosing;
  location: LocationDetails;
}

function ClosingReport({ closing, location }: ClosingReportProps) {
  const correcting = useDialog();
  const { opening, openingDifference, taken, paidBack, expected } = closing;
  const { counted, difference, changedSince } = closing;
  const lines: [name: string, amount: Money][] = [
    ['Cash at the start', opening],
    ...(openingDifference?.amount ? [toOpeningLine(openingDifference)] : []),
    ['Taken in cash', taken],
    ['Paid back in cash', { ...paidBack, amount: 0 - paidBack.amount }],
    ['Expected', expected],
    ['Counted', counted],
    ['Difference', difference],
  ];
  return (
    <SectionCard title="Closed">
      {changedSince.amount !== 0 && (
        <Alert color="orange" role="status" mb="md" title="The cash of this day has changed since">
          Payments that were recorded, returned or undone afterwards change it by{' '}
          {formatMoney(changedSince)}. The figures below are those of the closing. To take over the
          new ones, an owner or manager corrects the closing.
        </Alert>
      )}
      <Table aria-label="Daily closing" maw={480}>
        <Table.Tbody>
          {lines.map(([name, amount]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="right" fw={name === 'Difference' ? 700 : undefined}>
                {formatMoney(amount)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {closing.note && (
        <Text size="sm" mt="md" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {closing.note}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="md">
        Counted by {closing.closedBy ?? 'an API token'} on{' '}
        {formatLocalDateTime(closing.createdAt, location.timeZone)}
      </Text>
      {closing.allowedActions.correct && (
        <Button
          className={classes.screen}
          variant="default"
          mt="md"
          onClick={() => correcting.open(true)}
        >
          Correct
        </Button>
      )}
      <Dialog state={correcting} title="Correct the closing">
        {() => <CorrectClosingForm closing={closing} onClose={correcting.close} />}
      </Dialog>
    </SectionCard>
  );
}

const toOpeningLine = (difference: Money): [name: string, amount: Money] => [
  'Differs from the last count by',
  difference,
];

function EarlierClosings({ location }: { location: LocationDetails }) {
  const pages = useDailyClosings(location.id, true);
  return (
    <div className={classes.screen}>
      <Title order={2} size="h4" mt="xl" mb="sm">
        Closings
      </Title>
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconCash} title="No closings yet">
            Days that were closed appear here.
          </EmptyState>
        }
      >
        {(closings) => (
          <DataTable
            label="Closings"
            columns={[
              {
                header: 'Day',
                cell: ({ day }) => (
                  <Anchor
                    component={Link}
                    to={`/takings/closing?location=${location.id}&day=${day}`}
                    size="sm"
                    fw={600}
                  >
                    {formatLongDate(day)}
                  </Anchor>
                ),
              },
              ...closingColumns,
            ]}
            rows={closings}
            getKey={({ id }) => id}
          />
        )}
      </InfiniteList>
    </div>
  );
}

const closingColumns: Column<DailyClosing>[] = [
  {
    header: 'Start differs by',
    cell: ({ openingDifference }) => (
      <Difference amount={openingDifference?.amount ? openingDifference : null} />
    ),
  },
  { header: 'Expected', cell: ({ expected }) => formatMoney(expected) },
  { header: 'Counted', cell: ({ counted }) => formatMoney(counted) },
  {
    header: 'Difference',
    cell: ({ difference }) => <Difference amount={difference} />,
  },
  {
    header: 'Changed since',
    cell: ({ changedSince }) => (changedSince.amount === 0 ? '–' : formatMoney(changedSince)),
  },
  { header: 'Counted by', cell: ({ closedBy }) => closedBy ?? '–' },
];

/** An amount that should be zero. */
function Difference({ amount }: { amount: Money | null }) {
  const isWrong = amount !== null && amount.amount !== 0;
  return (
    <Text size="sm" {...(isWrong && { c: 'var(--mantine-color-error)', fw: 600 })}>
      {amount === null ? '–' : formatMoney(amount)}
    </Text>
  );
}

import { Button, Group, Select, SimpleGrid, Table, Text, TextInput } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { formatMoney } from '../../components/money.ts';
import { EmptyState, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { PaymentMethod, SoldKind, SumFragment } from '../../gql/graphql.ts';
import { PAYMENT_METHOD_LABELS } from '../orders/PaymentMethodField.tsx';
import { type LocationDetails, useLocationList } from '../spaces/location-queries.ts';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { PaymentLists } from './PaymentLists.tsx';
import { type TakingsRange, type TakingsResult, useTakings } from './queries.ts';

/** The URL contains the location, the days and the method, so that they can be shared. */
export function TakingsPage() {
  const locations = useLocationList();
  return (
    <QueryBoundary query={locations} height={400}>
      {([first, ...others]) =>
        first ? (
          <TakingsAtLocation locations={[first, ...others]} />
        ) : (
          <>
            <PageHeader title="Takings" description="What you took and paid back." />
            <NoLocationNotice
              instruction="Add a location under Spaces. What it takes appears here."
              explanation="An owner or manager needs to add a location."
            />
          </>
        )
      }
    </QueryBoundary>
  );
}

function TakingsAtLocation({ locations }: { locations: [LocationDetails, ...LocationDetails[]] }) {
  const [params, setParams] = useSearchParams();
  const location = locations.find(({ id }) => id === params.get('location')) ?? locations[0];
  const today = toLocalDate(new Date(), location.timeZone);
  const getDay = (key: string, fallback: string) => {
    const day = params.get(key) ?? '';
    return isCalendarDate(day) ? day : fallback;
  };
  const from = getDay('from', today);
  const to = getDay('to', [from, today].sort().at(-1) ?? today);
  const method = (params.get('method') || null) as PaymentMethod | null;
  const set = (changed: Record<string, string | null>) => {
    const next = { ...Object.fromEntries(params), ...changed };
    setParams(
      Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1])),
      { replace: true },
    );
  };
  return (
    <>
      <PageHeader
        title="Takings"
        description="What you took and paid back, by the day on which the money was received or returned."
        action={
          <Group gap="sm">
            <Button
              component={Link}
              to={`/bookings/list?payment=UNPAID&location=${location.id}`}
              variant="default"
            >
              Unpaid bookings
            </Button>
            <Button component={Link} to={`/takings/closing?location=${location.id}`}>
              Close the day
            </Button>
          </Group>
        }
      />
      <Group align="flex-end" mb="md" gap="sm">
        {locations.length > 1 && (
          <Select
            label="Location"
            data={toSelectOptions(locations)}
            value={location.id}
            onChange={(id) => set({ location: id })}
            allowDeselect={false}
          />
        )}
        <TextInput
          type="date"
          label="From"
          value={from}
          onChange={({ currentTarget: { value } }) => isCalendarDate(value) && set({ from: value })}
        />
        <TextInput
          type="date"
          label="To"
          value={to}
          error={to < from ? 'Before the first day' : null}
          onChange={({ currentTarget: { value } }) => isCalendarDate(value) && set({ to: value })}
        />
        <Select
          label="Paid by"
          placeholder="Any method"
          clearable
          data={Object.entries(PAYMENT_METHOD_LABELS).map(([value, label]) => ({ value, label }))}
          value={method}
          onChange={(value) => set({ method: value })}
        />
      </Group>
      {to >= from && (
        <>
          <Sums range={{ locationId: location.id, from, to }} />
          <PaymentLists location={location} range={{ from, to }} method={method} />
        </>
      )}
    </>
  );
}

const SOLD_LABELS: Record<SoldKind, string> = {
  TICKETS: 'Tickets',
  DAY_PASSES: 'Day passes',
  BOOKINGS: 'Bookings',
};

function Sums({ range }: { range: TakingsRange }) {
  const takings = useTakings(range);
  return <QueryBoundary query={takings}>{(sums) => <SumsByCurrency sums={sums} />}</QueryBoundary>;
}

function SumsByCurrency({ sums }: { sums: TakingsResult }) {
  if (sums.length === 0)
    return (
      <EmptyState icon={IconCash} title="No payments on these days">
        Choose other days, or mark orders and bookings as paid.
      </EmptyState>
    );
  return sums.map(({ total, byMethod, bySold }) => (
    <SimpleGrid key={total.net.currency} cols={{ base: 1, md: 2 }} mb="md">
      <SectionCard title={`By method: ${formatMoney(total.net)}`}>
        <SumTable
          label={`By method, ${total.net.currency}`}
          rows={byMethod.map((sum) => [PAYMENT_METHOD_LABELS[sum.method], sum])}
          total={total}
        />
      </SectionCard>
      <SectionCard title="By product">
        <SumTable
          label={`By product, ${total.net.currency}`}
          rows={bySold.map((sum) => [SOLD_LABELS[sum.sold], sum])}
          total={total}
        />
      </SectionCard>
    </SimpleGrid>
  ));
}

interface SumTableProps {
  label: string;
  rows: [name: string, sum: Omit<SumFragment, '__typename'>][];
  total: Omit<SumFragment, '__typename'>;
}

const SumTable = ({ label, rows, total }: SumTableProps) => (
  <Table.ScrollContainer minWidth={320}>
    <Table aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{label.split(',')[0]}</Table.Th>
          <Table.Th scope="col" ta="right">
            Taken
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Paid back
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Net
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...rows, ['Total', total] as const].map(([name, sum]) => (
          <Table.Tr key={name} fw={name === 'Total' ? 600 : undefined}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td ta="right">
              {formatMoney(sum.taken)}
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {sum.paymentCount} {sum.paymentCount === 1 ? 'payment' : 'payments'}
              </Text>
            </Table.Td>
            <Table.Td ta="right">
              {formatMoney(sum.paidBack)}
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {sum.refundCount} {sum.refundCount === 1 ? 'refund' : 'refunds'}
              </Text>
            </Table.Td>
            <Table.Td ta="right">{formatMoney(sum.net)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

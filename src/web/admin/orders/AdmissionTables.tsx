import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Money } from '../../../core/money.ts';
import { formatDate } from '../../../core/time/format.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { formatMoney } from '../../components/money.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type {
  AdmissionStatus,
  DayPassInListFragment,
  TicketInListFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { DisputedBadge } from './OrdersTable.tsx';

export type TicketRow = TicketInListFragment;
export type DayPassRow = DayPassInListFragment;

graphql(`
  fragment TicketInList on Ticket {
    id
    status
    isDisputed
    typeName
    attendee {
      name
      email
    }
    price {
      amount
      currency
    }
    order {
      id
      code
      eventSummary {
        title
      }
    }
    checkIns(first: 1, filter: { result: [ADMITTED] }) @include(if: $canReadCheckIns) {
      nodes {
        at
      }
    }
  }
`);

graphql(`
  fragment DayPassInList on DayPass {
    id
    status
    isDisputed
    typeName
    validOn
    locationName
    holder {
      name
      email
    }
    price {
      amount
      currency
    }
    order {
      id
      code
    }
  }
`);

interface Admission {
  status: AdmissionStatus;
  isDisputed: boolean;
  price: Money;
  order: { id: string; code: string | null } | null;
}

/** The columns of tickets and day passes. */
const sharedColumns: Column<Admission>[] = [
  {
    header: 'Status',
    cell: ({ status, isDisputed }) => (
      <>
        <AdmissionStatusBadge status={status} />
        {isDisputed && <DisputedBadge />}
      </>
    ),
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
  {
    header: 'Order',
    cell: ({ order }) =>
      order && (
        <Anchor component={Link} to={`/orders/${order.id}`} size="sm" ff="monospace">
          {order.code ?? 'View order'}
        </Anchor>
      ),
  },
];

const attendeeColumn: Column<TicketRow> = {
  header: 'Attendee',
  cell: ({ attendee }) => <NameCell name={attendee.name} details={attendee.email} />,
};

const typeColumn: Column<TicketRow> = {
  header: 'Ticket type',
  cell: ({ typeName }) => <Text size="sm">{typeName}</Text>,
};

const eventColumn: Column<TicketRow> = {
  header: 'Ticket',
  cell: ({ typeName, order }) => (
    <NameCell name={order?.eventSummary?.title ?? typeName} details={typeName} />
  ),
};

const checkedInColumn: Column<TicketRow> = {
  header: 'Checked in',
  cell: ({ checkIns }) => <LastCheckIn at={checkIns?.nodes[0]?.at} />,
};

interface TicketsTableProps {
  tickets: TicketRow[];
  /** The page of an event omits its title. */
  variant: 'event' | 'member';
  /** Whether the viewer can see who is checked in. */
  hasCheckIns: boolean;
}

export const TicketsTable = ({ tickets, variant, hasCheckIns }: TicketsTableProps) => (
  <DataTable
    label="Tickets"
    columns={[
      ...(variant === 'event' ? [attendeeColumn, typeColumn] : [eventColumn, attendeeColumn]),
      ...(hasCheckIns ? [checkedInColumn] : []),
      ...sharedColumns,
    ]}
    rows={tickets}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'CANCELLED'}
  />
);

const dayPassColumns: Column<DayPassRow>[] = [
  {
    header: 'Day pass',
    cell: ({ typeName, locationName }) => <NameCell name={typeName} details={locationName} />,
  },
  { header: 'Valid on', cell: ({ validOn }) => <Text size="sm">{formatDate(validOn)}</Text> },
  {
    header: 'Holder',
    cell: ({ holder }) => <Text size="sm">{holder.name}</Text>,
  },
  ...sharedColumns,
];

export const DayPassesTable = ({ dayPasses }: { dayPasses: DayPassRow[] }) => (
  <DataTable
    label="Day passes"
    columns={dayPassColumns}
    rows={dayPasses}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'CANCELLED'}
  />
);

const LastCheckIn = ({ at }: { at: string | undefined }) => (
  <Text size="sm" component="div">
    {at === undefined ? '–' : <DateTime at={at} format="since" />}
  </Text>
);

const AdmissionStatusBadge = ({ status }: { status: AdmissionStatus }) =>
  status === 'VALID' ? (
    <StatusBadge color="teal">Valid</StatusBadge>
  ) : (
    <StatusBadge color="gray">Cancelled</StatusBadge>
  );

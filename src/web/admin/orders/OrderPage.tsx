import { Anchor, Code, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { formatLocalDateTimeRange, formatTimeZone } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { type Admission, toAdmissions, toRefundableAmount } from './admissions.ts';
import { OrderActions } from './OrderActions.tsx';
import { OrderStatusBadge } from './OrdersTable.tsx';
import { formatOrderItem, formatProvider } from './order-labels.ts';
import { type OrderDetails, useOrder } from './queries.ts';
import { RefundActions, RefundStatusBadge } from './RefundActions.tsx';
import type { Refund } from './refund-queries.ts';

export function OrderPage() {
  const { orderId = '' } = useParams();
  const canChange = can(useStaffViewer(), 'orders:write');
  const order = useOrder(orderId);
  return (
    <>
      <BackLink to="/orders">All orders</BackLink>
      <QueryBoundary query={order} height={400}>
        {(order) => (
          <>
            <PageHeader
              title={`Order ${order.code}`}
              description={`${order.event?.title ?? 'Day passes'}, for ${order.buyer.name}.`}
              action={canChange && <OrderActions order={order} />}
            />
            <Stack>
              <OrderDetailsCard order={order} />
              <AdmissionList order={order} />
              <PaymentSummary order={order} />
              {order.refunds.length > 0 && <OrderRefunds order={order} canChange={canChange} />}
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

export function OrderDetailsCard({ order }: { order: OrderDetails }) {
  const viewer = useStaffViewer();
  const { code, buyer, memberId, event, items, paidAt, cancelledAt, createdAt } = order;
  const seesMember = memberId !== null && can(viewer, 'members:read');
  return (
    <SectionCard title="Details">
      <DescriptionList
        items={[
          ['Code', <Code key="code">{code}</Code>],
          ['Status', <OrderStatusBadge key="status" order={order} />],
          [
            'Buyer',
            seesMember ? (
              <Anchor key="buyer" component={Link} to={`/members/${memberId}`} size="sm">
                {buyer.name}
              </Anchor>
            ) : (
              buyer.name
            ),
          ],
          [
            'Email',
            buyer.email && (
              <Anchor key="email" href={`mailto:${buyer.email}`} size="sm">
                {buyer.email}
              </Anchor>
            ),
          ],
          ['Event', event && <OrderEventDescription key="event" event={event} />],
          ['Ordered', items.map(formatOrderItem).join(', ')],
          ['Placed', <DateTime key="placed" at={createdAt} format="since" />],
          ['Confirmed', paidAt && <DateTime key="paid" at={paidAt} format="since" />],
          [
            'Cancelled',
            cancelledAt && <DateTime key="cancelled" at={cancelledAt} format="since" />,
          ],
        ]}
      />
    </SectionCard>
  );
}

function OrderEventDescription({ event }: { event: NonNullable<OrderDetails['event']> }) {
  const viewer = useStaffViewer();
  const { id, title, status, startsAt, endsAt, timeZone, locationName } = event;
  return (
    <>
      {can(viewer, 'events:read') ? (
        <Anchor component={Link} to={`/events/${id}`} size="sm">
          {title}
        </Anchor>
      ) : (
        title
      )}
      {status === 'CANCELLED' && ' (cancelled)'}
      <div>
        {formatLocalDateTimeRange(startsAt, endsAt, timeZone)} ({formatTimeZone(timeZone)}),{' '}
        {locationName}
      </div>
    </>
  );
}

const admissionColumns: Column<Admission>[] = [
  {
    header: 'Attendee',
    cell: ({ person }) => (
      <>
        <Text fw={600} size="sm">
          {person.name}
        </Text>
        {person.email && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {person.email}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Item', cell: ({ what }) => <Text size="sm">{what}</Text> },
  {
    header: 'Code',
    cell: ({ code }) => <Code style={{ overflowWrap: 'anywhere' }}>{code}</Code>,
  },
  {
    header: 'Status',
    cell: ({ isValid }) =>
      isValid ? (
        <StatusBadge color="teal">Valid</StatusBadge>
      ) : (
        <StatusBadge color="gray">Cancelled</StatusBadge>
      ),
  },
  {
    header: 'Price',
    cell: ({ price }) => <Text size="sm">{price.amount === 0 ? 'free' : formatMoney(price)}</Text>,
  },
];

/** Tickets and day passes that have been issued. */
export function AdmissionList({ order }: { order: OrderDetails }) {
  const isPasses = order.event === null;
  const rows = toAdmissions(order);
  return (
    <SectionCard title={isPasses ? 'Day passes' : 'Tickets'}>
      {rows.length === 0 ? (
        <Text size="sm">
          {order.status === 'PENDING'
            ? 'Items are on hold and issued once the order is paid.'
            : 'Nothing was issued.'}
        </Text>
      ) : (
        <DataTable
          label={isPasses ? 'Day passes' : 'Tickets'}
          columns={admissionColumns}
          rows={rows}
          getKey={({ id }) => id}
          isEnded={({ isValid }) => !isValid}
        />
      )}
    </SectionCard>
  );
}

export function PaymentSummary({ order }: { order: OrderDetails }) {
  const { total, discount, refundedAmount } = order;
  const isFree = total.amount === 0 && discount.amount === 0;
  return (
    <SectionCard title="Payment">
      <DescriptionList
        items={[
          [
            'Discount',
            discount.amount > 0 ? <DiscountDescription key="discount" order={order} /> : null,
          ],
          ['Total', isFree ? 'free' : formatMoney(total)],
          ['Payment', total.amount > 0 ? formatPaid(order) : null],
          ['Refunded', refundedAmount.amount > 0 ? formatMoney(refundedAmount) : null],
          ['Balance', refundedAmount.amount > 0 ? formatMoney(toRefundableAmount(order)) : null],
        ]}
      />
    </SectionCard>
  );
}

const DiscountDescription = ({ order: { discount, discountCode } }: { order: OrderDetails }) => (
  <>
    {formatMoney(discount)}
    {discountCode !== null && (
      <>
        {' '}
        by <Code>{discountCode}</Code>
      </>
    )}
  </>
);

function formatPaid({ status, paid, payment }: OrderDetails): string {
  const where = payment?.provider ? formatProvider(payment.provider) : null;
  if (paid.amount > 0) return [formatMoney(paid), where].filter(Boolean).join(', ');
  return status === 'PENDING' && where ? `not yet; ${where}` : 'nothing';
}

const refundColumns: Column<Refund>[] = [
  {
    header: 'Amount',
    cell: ({ amount }) => (
      <Text fw={600} size="sm">
        {formatMoney(amount)}
      </Text>
    ),
  },
  { header: 'Status', cell: (refund) => <RefundStatusBadge refund={refund} /> },
  { header: 'Payment', cell: ({ provider }) => <Text size="sm">{formatProvider(provider)}</Text> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

interface Props {
  order: OrderDetails;
  canChange: boolean;
}

export const OrderRefunds = ({ order, canChange }: Props) => (
  <SectionCard title="Refunds">
    <DataTable
      label="Refunds"
      columns={refundColumns}
      rows={order.refunds}
      getKey={({ id }) => id}
      {...(canChange && { actions: (refund: Refund) => <RefundActions refund={refund} /> })}
    />
  </SectionCard>
);

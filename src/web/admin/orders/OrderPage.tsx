import { Anchor, Code, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { formatMoney } from '../../components/money.ts';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
  StatusBadge,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { DisputeStatus } from '../../gql/graphql.ts';
import { OrderActions } from './OrderActions.tsx';
import { OrderStatusBadge } from './OrdersTable.tsx';
import {
  type Admission,
  formatOrderItem,
  formatProvider,
  toAdmissions,
  toRefundableAmount,
} from './order-details.ts';
import { type OrderDetails, useOrder } from './queries.ts';
import { RefundStatusBadge, toRefundActions } from './RefundActions.tsx';
import type { Refund } from './refund-queries.ts';

export function OrderPage() {
  const { orderId = '' } = useParams();
  const order = useOrder(orderId);
  return (
    <>
      <BackLink to="/orders">All orders</BackLink>
      <QueryBoundary query={order} height={400}>
        {(order) => (
          <>
            <PageHeader
              title={`Order ${order.code}`}
              description={`${order.event?.title ?? 'Day passes'}, ordered by ${order.buyer.name}.`}
              action={<OrderActions order={order} />}
            />
            <Stack>
              <OrderDetailsCard order={order} />
              <AdmissionList order={order} />
              <PaymentSummary order={order} />
              {order.disputes.length > 0 && <OrderDisputes order={order} />}
              {order.refunds.length > 0 && <OrderRefunds order={order} />}
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function OrderDetailsCard({ order }: { order: OrderDetails }) {
  const viewer = useStaffViewer();
  const { code, buyer, memberId, event, items, paidAt, cancelledAt, createdAt } = order;
  const canSeeMember = memberId !== null && can(viewer, 'members:read');
  return (
    <SectionCard title="Details">
      <DescriptionList
        items={[
          ['Code', <Code key="code">{code}</Code>],
          ['Status', <OrderStatusBadge key="status" order={order} />],
          [
            'Buyer',
            canSeeMember ? (
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
  const { id, title, status, startsAt, endsAt, timeZone, locationName, roomName } = event;
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
        {[locationName, roomName].filter(Boolean).join(', ')}
      </div>
    </>
  );
}

const admissionColumns: Column<Admission>[] = [
  {
    header: 'Attendee',
    cell: ({ person }) => <NameCell name={person.name} details={person.email} />,
  },
  { header: 'Item', cell: ({ name }) => <Text size="sm">{name}</Text> },
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

function AdmissionList({ order }: { order: OrderDetails }) {
  const title = order.event === null ? 'Day passes' : 'Tickets';
  const rows = toAdmissions(order);
  return (
    <SectionCard
      title={title}
      action={
        rows.some(({ isValid }) => isValid) && (
          <Anchor
            size="sm"
            href={toServiceUrl(`orders/${order.id}/tickets.pdf`)}
            target="_blank"
            rel="noreferrer"
          >
            {title} as PDF
          </Anchor>
        )
      }
    >
      {rows.length === 0 ? (
        <Text size="sm">
          {order.status === 'PENDING'
            ? 'Items are on hold and issued once the order is paid.'
            : 'No items were issued.'}
        </Text>
      ) : (
        <DataTable
          label={title}
          columns={admissionColumns}
          rows={rows}
          getKey={({ id }) => id}
          isEnded={({ isValid }) => !isValid}
        />
      )}
    </SectionCard>
  );
}

function PaymentSummary({ order }: { order: OrderDetails }) {
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

const DiscountDescription = ({
  order: { discount, discountCodeText },
}: {
  order: OrderDetails;
}) => (
  <>
    {formatMoney(discount)}
    {discountCodeText !== null && (
      <>
        {' '}
        with code <Code>{discountCodeText}</Code>
      </>
    )}
  </>
);

function formatPaid({ status, paid, payment }: OrderDetails): string {
  const provider = payment?.provider ? formatProvider(payment.provider) : null;
  if (paid.amount > 0) return [formatMoney(paid), provider].filter(Boolean).join(', ');
  return status === 'PENDING' && provider ? `${provider}, not paid yet` : 'Not paid';
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

const OrderRefunds = ({ order }: { order: OrderDetails }) => (
  <SectionCard title="Refunds">
    <DataTable
      label="Refunds"
      columns={refundColumns}
      rows={order.refunds}
      getKey={({ id }) => id}
      actions={toRefundActions}
    />
  </SectionCard>
);

type Dispute = OrderDetails['disputes'][number];

const DISPUTE_LABELS: Record<DisputeStatus, [color: string, label: string]> = {
  OPEN: ['orange', 'Open'],
  WON: ['teal', 'Won'],
  LOST: ['red', 'Lost'],
};

const disputeColumns: Column<Dispute>[] = [
  {
    header: 'Amount',
    cell: ({ amount }) => (
      <Text fw={600} size="sm">
        {formatMoney(amount)}
      </Text>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => {
      const [color, label] = DISPUTE_LABELS[status];
      return <StatusBadge color={color}>{label}</StatusBadge>;
    },
  },
  {
    header: 'Reason',
    cell: ({ reason }) => <Text size="sm">{reason?.replaceAll('_', ' ') ?? '–'}</Text>,
  },
  { header: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  { header: 'Since', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
  {
    header: 'Ended',
    cell: ({ endedAt }) => (endedAt ? <DateTime at={endedAt} format="since" /> : '–'),
  },
];

const isUncounted = ({ status, amount }: Dispute, { total }: OrderDetails) =>
  status === 'LOST' && amount.currency !== total.currency;

const OrderDisputes = ({ order }: { order: OrderDetails }) => (
  <SectionCard title="Disputes">
    <Text size="sm" mb="sm">
      The buyer asked their bank to return the money. Answer at the payment provider. Do not refund
      an open dispute here as well.
    </Text>
    {order.disputes.some((dispute) => isUncounted(dispute, order)) && (
      <Text size="sm" mb="sm" c="red">
        A dispute in another currency was lost. It is not counted as a refund: check at the payment
        provider how much was returned.
      </Text>
    )}
    <DataTable
      label="Disputes"
      columns={disputeColumns}
      rows={order.disputes}
      getKey={({ reference }) => reference}
      isEnded={({ status }) => status !== 'OPEN'}
    />
  </SectionCard>
);

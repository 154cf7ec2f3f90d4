import { Alert, Anchor, Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { formatDecimal } from '../../../core/money.ts';
import { ExportButton } from '../../components/ExportButton.tsx';
import { SearchField, StatusFilter, useSearch } from '../../components/ListFilters.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import {
  addDays,
  BROWSER_TIME_ZONE,
  isCalendarDate,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import type { OrderFilter, OrderStatus, PaymentMethod } from '../../gql/graphql.ts';
import { OrdersTable } from './OrdersTable.tsx';
import { formatOrderItem, ORDER_STATUS_OPTIONS } from './order-details.ts';
import { PAYMENT_METHOD_LABELS } from './PaymentMethodField.tsx';
import { fetchOrders, type OrderRow, type OrdersPageData, useOrders } from './queries.ts';

/** The URL can contain a search. */
export function OrdersPage() {
  const [searchParams] = useSearchParams();
  const search = useSearch(searchParams.get('q') ?? '');
  const [status, setStatus] = useState<OrderStatus | null>(null);
  const [paidBy, setPaidBy] = useState<PaymentMethod | null>(null);
  const [disputed, setDisputed] = useState(searchParams.get('disputed') === 'true');
  const [days, setDays] = useState({ from: '', to: '' });
  const filter: OrderFilter = {
    q: search.q,
    status: status && [status],
    paidBy: paidBy && [paidBy],
    ...(disputed && { disputed }),
    ...toRange(days),
  };
  const pages = useOrders(filter);
  const isFiltered = Boolean(search.q || status || paidBy || disputed || days.from || days.to);
  return (
    <>
      <PageHeader
        title="Orders"
        description="Orders for tickets and day passes, with payments and refunds."
        action={
          <Group gap="sm">
            <ExportButton
              fileName="orders.csv"
              noun="orders"
              header={CSV_HEADER}
              load={(after, signal) => fetchOrders(filter, after, signal)}
              toLines={toCsvLines}
            />
            <Button component={Link} to="/orders/refunds" variant="default">
              Refunds
            </Button>
          </Group>
        }
      />
      {pages.firstPage && <SimulatedPayments page={pages.firstPage} />}
      {pages.firstPage && (
        <PendingWork page={pages.firstPage} onShowDisputed={() => setDisputed(true)} />
      )}
      <Group align="flex-end" mb="md" gap="sm">
        <SearchField placeholder="Code, name or email" search={search} />
        <StatusFilter options={ORDER_STATUS_OPTIONS} value={status} onChange={setStatus} w={150} />
        <Select
          label="Paid by"
          placeholder="Any method"
          clearable
          w={190}
          data={Object.entries(PAYMENT_METHOD_LABELS).map(([value, label]) => ({ value, label }))}
          value={paidBy}
          onChange={(method) => setPaidBy(method as PaymentMethod | null)}
        />
        <TextInput
          type="date"
          label="Placed from"
          value={days.from}
          onChange={({ currentTarget: { value } }) => setDays({ ...days, from: value })}
        />
        <TextInput
          type="date"
          label="Placed until"
          value={days.to}
          onChange={({ currentTarget: { value } }) => setDays({ ...days, to: value })}
        />
        <Checkbox
          label="Disputed"
          mb={8}
          checked={disputed}
          onChange={({ currentTarget: { checked } }) => setDisputed(checked)}
        />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          isFiltered ? (
            <EmptyState icon={IconReceipt} title="No matching orders">
              Enter a full order code or part of a name or email, or choose other days.
            </EmptyState>
          ) : (
            <EmptyState icon={IconReceipt} title="No orders yet">
              Orders for tickets and day passes appear here.
            </EmptyState>
          )
        }
      >
        {(orders) => <OrdersTable orders={orders} variant="all" />}
      </InfiniteList>
    </>
  );
}

/** Orders can be for any location, so days are those of the browser. */
const toRange = ({ from, to }: { from: string; to: string }): Pick<OrderFilter, 'from' | 'to'> => ({
  ...(isCalendarDate(from) && { from: toStartOfDay(from, BROWSER_TIME_ZONE).toISOString() }),
  ...(isCalendarDate(to) && {
    to: toStartOfDay(addDays(to, 1), BROWSER_TIME_ZONE).toISOString(),
  }),
});

const CSV_HEADER = [
  ...['placed_at', 'code', 'status', 'items', 'event', 'buyer', 'email'],
  ...['total', 'refunded', 'currency', 'id'],
];

const toCsvLines = (order: OrderRow): string[][] => [
  [
    order.createdAt,
    order.code ?? '',
    order.status.toLowerCase(),
    order.items.map(formatOrderItem).join(', '),
    order.event?.title ?? '',
    order.buyer.name,
    order.buyer.email ?? '',
    formatDecimal(order.total),
    formatDecimal(order.refundedAmount),
    order.total.currency,
    order.id,
  ],
];

/** A public site with simulated payments is a mistake. The demo is not served over https. */
const SimulatedPayments = ({ page }: { page: OrdersPageData }) =>
  page.paymentProvider === 'SANDBOX' &&
  location.protocol === 'https:' && (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      title="Payments are simulated"
      role="alert"
      mb="md"
    >
      Anyone can confirm an order without paying. Set up Stripe, or remove the setting
      PAYMENTS=sandbox.
    </Alert>
  );

const MAX_COUNTED_REFUNDS = 50;

interface PendingWorkProps {
  page: OrdersPageData;
  onShowDisputed: () => void;
}

/** Refunds and disputes that need action by staff. */
function PendingWork({ page, onShowDisputed }: PendingWorkProps) {
  const { pendingRefunds, failedRefunds, disputedOrders } = page;
  const onSite = pendingRefunds?.nodes.filter(({ provider }) => provider === 'ON_SITE').length ?? 0;
  const failed = failedRefunds?.totalCount ?? { value: 0, text: '0' };
  const disputed = disputedOrders?.totalCount ?? { value: 0, text: '0' };
  if (onSite + failed.value + disputed.value === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} role="status" mb="md">
      {onSite > 0 && (
        <div>
          {formatRefundCount(formatOnSiteCount(onSite))} to pay out at the front desk.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=due"
            inherit
            c="inherit"
            td="underline"
          >
            View refunds
          </Anchor>
        </div>
      )}
      {failed.value > 0 && (
        <div>
          {formatRefundCount(failed.text)} failed at the payment provider.{' '}
          <Anchor
            component={Link}
            to="/orders/refunds?status=failed"
            inherit
            c="inherit"
            td="underline"
          >
            View failed refunds
          </Anchor>
        </div>
      )}
      {disputed.value > 0 && (
        <div>
          {disputed.text === '1' ? '1 order is' : `${disputed.text} orders are`} disputed with the
          bank. Answer at the payment provider.{' '}
          <Anchor
            component="button"
            type="button"
            onClick={onShowDisputed}
            inherit
            c="inherit"
            td="underline"
          >
            View disputed orders
          </Anchor>
        </div>
      )}
    </Alert>
  );
}

const formatOnSiteCount = (count: number) =>
  count >= MAX_COUNTED_REFUNDS ? `${MAX_COUNTED_REFUNDS} or more` : String(count);

const formatRefundCount = (count: string) => (count === '1' ? '1 refund' : `${count} refunds`);

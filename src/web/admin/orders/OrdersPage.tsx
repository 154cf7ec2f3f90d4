import { Alert, Anchor, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { SearchField, StatusFilter, useSearch } from '../../components/ListFilters.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import type { OrderStatus } from '../../gql/graphql.ts';
import { OrdersTable } from './OrdersTable.tsx';
import { ORDER_STATUS_OPTIONS } from './order-details.ts';
import { type OrdersPageData, useOrders } from './queries.ts';

/** The URL can contain a search. */
export function OrdersPage() {
  const [searchParams] = useSearchParams();
  const search = useSearch(searchParams.get('q') ?? '');
  const [status, setStatus] = useState<OrderStatus | null>(null);
  const pages = useOrders({ q: search.q, status: status && [status] });
  return (
    <>
      <PageHeader
        title="Orders"
        description="Orders for tickets and day passes, with payments and refunds."
        action={
          <Button component={Link} to="/orders/refunds" variant="default">
            Refunds
          </Button>
        }
      />
      {pages.firstPage && <SimulatedPayments page={pages.firstPage} />}
      {pages.firstPage && <PendingRefunds page={pages.firstPage} />}
      <Group align="flex-end" mb="md" gap="sm">
        <SearchField placeholder="Code, name or email" search={search} />
        <StatusFilter options={ORDER_STATUS_OPTIONS} value={status} onChange={setStatus} w={150} />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          search.q || status ? (
            <EmptyState icon={IconReceipt} title="No matching orders">
              Enter a full order code, or part of a name or email.
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

/** Refunds that need action by staff. */
function PendingRefunds({ page: { pendingRefunds, failedRefunds } }: { page: OrdersPageData }) {
  const onSite = pendingRefunds?.nodes.filter(({ provider }) => provider === 'ON_SITE').length ?? 0;
  const failed = failedRefunds?.totalCount ?? { value: 0, text: '0' };
  if (onSite + failed.value === 0) return null;
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
    </Alert>
  );
}

const formatOnSiteCount = (count: number) =>
  count >= MAX_COUNTED_REFUNDS ? `${MAX_COUNTED_REFUNDS} or more` : String(count);

const formatRefundCount = (count: string) => (count === '1' ? '1 refund' : `${count} refunds`);

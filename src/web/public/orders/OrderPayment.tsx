import { Anchor, Stack, Text } from '@mantine/core';
import type { TextKey } from '../../../languages/en.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { formatBrowserDate } from '../../components/browser-time.tsx';
import { formatMoney } from '../../components/money.ts';
import { SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { formatPrice } from '../../components/prices.ts';
import type { RefundStatus } from '../../gql/graphql.ts';
import { formatLocalDate } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import classes from './OrderPortal.module.css';
import { formatOrderTime } from './order-details.ts';
import type { PortalOrder } from './queries.ts';

const REFUND_STATUS_LABELS = {
  PENDING: ['orange', 'order.refundPending'],
  SUCCEEDED: ['teal', 'order.refunded'],
  FAILED: ['red', 'order.refundFailed'],
} as const satisfies Record<RefundStatus, readonly [color: string, label: TextKey]>;

/** Lists the price, payment and refunds. Renders nothing for free orders. */
export function OrderPayment({ order, secret }: { order: PortalOrder; secret: string }) {
  const { items, total, discount, discountCodeText, paid, refunds, status, event } = order;
  if (total.amount === 0 && discount.amount === 0) return null;
  const lines: [string, string, boolean?][] = items.map(({ quantity, unitPrice, typeName }) => [
    `${quantity} × ${typeName}`,
    formatMoney({ ...unitPrice, amount: unitPrice.amount * quantity }),
  ]);
  if (discount.amount > 0) {
    lines.push([
      discountCodeText
        ? getText('order.discountOf', { code: discountCodeText })
        : getText('order.discount'),
      `−${formatMoney(discount)}`,
    ]);
  }
  lines.push([getText('order.total'), formatPrice(total), true]);
  if (paid.amount > 0) lines.push([getText('order.paid'), formatMoney(paid)]);
  return (
    <SectionCard
      title={getText('order.payment')}
      description={formatRefundTerms(order)}
      action={
        (status === 'PAID' || paid.amount > 0) && (
          <Anchor
            size="sm"
            className={classes.screenOnly ?? ''}
            href={toServiceUrl(`public/orders/${secret}/receipt`)}
            target="_blank"
            rel="noreferrer"
          >
            {getText('order.receipt')}
          </Anchor>
        )
      }
    >
      <table className={classes.amounts}>
        <tbody>
          {lines.map(([name, amount, isStrong]) => (
            <tr key={name} data-strong={isStrong}>
              <th scope="row">{name}</th>
              <td>{amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {refunds.length > 0 && (
        <Stack component="ul" aria-label={getText('order.refunds')} gap="xs" mt="sm" p={0} m={0}>
          {refunds.map(({ id, amount, status, reason, createdAt, provider }) => {
            const [color, label] = REFUND_STATUS_LABELS[status];
            const atDesk = status === 'PENDING' && provider === 'ON_SITE';
            return (
              <li key={id} style={{ listStyle: 'none' }}>
                <Text size="sm" component="span" mr="xs">
                  {getText('order.refundOf', {
                    money: formatMoney(amount),
                    date: event
                      ? formatLocalDate(createdAt, event.timeZone)
                      : formatBrowserDate(new Date(createdAt)),
                  })}
                </Text>
                <StatusBadge color={color}>{getText(atDesk ? 'order.collect' : label)}</StatusBadge>
                {reason && (
                  <Text size="sm" c="dimmed">
                    {reason}
                  </Text>
                )}
              </li>
            );
          })}
        </Stack>
      )}
    </SectionCard>
  );
}

function formatRefundTerms(order: PortalOrder): string | undefined {
  const { status, allowedActions, event, paid } = order;
  if (status !== 'PAID' || paid.amount === 0 || event?.status === 'CANCELLED') return undefined;
  if (allowedActions.refundUntil === null) return getText('order.nonRefundable');
  const until = formatOrderTime(order, allowedActions.refundUntil);
  return allowedActions.cancel
    ? getText('order.cancelBy', { time: until })
    : getText('order.refundEnded', { time: until });
}

import { Anchor, Stack, Text } from '@mantine/core';
import { serviceUrl } from '../../api/urls.ts';
import type { RefundStatus } from '../../gql/graphql.ts';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import { dayIn } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { dayOf } from '../../ui/time-words.ts';
import { momentFor } from './hold.ts';
import classes from './Portal.module.css';
import type { Order } from './queries.ts';

const REFUND: Record<RefundStatus, [color: string, words: string]> = {
  DUE: ['orange', 'On its way'],
  DONE: ['teal', 'Given back'],
  FAILED: ['red', 'Did not work: ask the front desk'],
};

/** What it costs, what was paid and what goes back; nothing where nothing is to be paid. */
export function Money({ order, secret }: { order: Order; secret: string }) {
  const { items, total, discount, discountCode, paid, refunds, status, event } = order;
  if (total.amount === 0 && discount.amount === 0) return null;
  const lines: [string, string, boolean?][] = items.map(
    ({ quantity, unitPrice, ticketType, dayPassType }) => [
      `${quantity} × ${ticketType?.name ?? dayPassType?.name ?? ''}`,
      moneyWords({ ...unitPrice, amount: unitPrice.amount * quantity }),
    ],
  );
  if (discount.amount > 0) {
    lines.push([
      discountCode ? `Discount ${discountCode}` : 'Discount',
      `−${moneyWords(discount)}`,
    ]);
  }
  lines.push(['Total', moneyWords(total), true]);
  if (paid.amount > 0) lines.push(['Paid', moneyWords(paid)]);
  return (
    <Panel
      title="Payment"
      description={refundWords(order)}
      action={
        (status === 'PAID' || paid.amount > 0) && (
          <Anchor
            size="sm"
            className={classes.screenOnly ?? ''}
            href={serviceUrl(`public/orders/${secret}/receipt`)}
            target="_blank"
            rel="noreferrer"
          >
            Receipt
          </Anchor>
        )
      }
    >
      <table className={classes.sums}>
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
        <Stack component="ul" aria-label="Refunds" gap="xs" mt="sm" p={0} m={0}>
          {refunds.map(({ id, amount, status, reason, createdAt, provider }) => {
            const [color, words] = REFUND[status];
            const atDesk = status === 'DUE' && provider === 'ON_SITE';
            return (
              <li key={id} style={{ listStyle: 'none' }}>
                <Text size="sm" component="span" mr="xs">
                  {moneyWords(amount)} back,{' '}
                  {event ? dayIn(createdAt, event.timeZone) : dayOf(new Date(createdAt))}
                </Text>
                <StateBadge color={color}>{atDesk ? 'Waits at the front desk' : words}</StateBadge>
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
    </Panel>
  );
}

function refundWords(order: Order): string | undefined {
  const { status, may, event, paid } = order;
  if (status !== 'PAID' || paid.amount === 0 || event?.status === 'CANCELLED') return undefined;
  if (may.refundUntil === null) return 'Not taken back, but you can give it to somebody else.';
  const until = momentFor(order, may.refundUntil);
  return may.cancel
    ? `Cancel until ${until}, and you get your money back.`
    : `The time to cancel for your money back ended ${until}. You can still give it to somebody else.`;
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { useNow } from '../../components/use-now.ts';
import { useConfirmOrder } from './mutations.ts';
import classes from './OrderPortal.module.css';
import {
  formatAdmissionNoun,
  formatHoldEnd,
  formatRemainingTime,
  toValidAdmissions,
} from './order-details.ts';
import type { PortalOrder } from './queries.ts';

interface Props {
  order: PortalOrder;
  secret: string;
  onCancel: () => void;
}

/** Where the order stands, in words, and what is to be done about it first. */
export function OrderStatusNotice(props: Props) {
  const { order } = props;
  switch (order.status) {
    case 'PENDING':
      return <PendingNotice {...props} />;
    case 'PAID':
      return <ConfirmedNotice order={order} />;
    case 'EXPIRED':
      return (
        <EndedNotice
          order={order}
          title={order.payment ? 'The time to pay is over' : 'The time to confirm is over'}
        >
          {order.paid.amount > 0
            ? 'Your payment came when the tickets were gone already. It goes back to you.'
            : 'Nothing was paid, and what was kept for you is free for others again.'}
        </EndedNotice>
      );
    case 'CANCELLED':
      return (
        <EndedNotice order={order} title="This order is cancelled">
          {order.refundedAmount.amount > 0
            ? `You get back ${formatMoney(order.refundedAmount)}.`
            : 'Nobody is let in by it any more.'}
        </EndedNotice>
      );
  }
}

function PendingNotice({ order, secret, onCancel }: Props) {
  const now = useNow(1);
  const confirm = useConfirmOrder(secret, () => notifySuccess('Confirmed.'));
  const { allowedActions, payment, total, expiresAt, confirmationRequired } = order;
  const hasPrice = !confirmationRequired;
  const end = new Date(expiresAt ?? now);
  if (end <= now) {
    return (
      <Alert color="orange" role="status" title="The time is over">
        What was kept for you is free for others again. If you have just paid, this page says so in
        a moment.
      </Alert>
    );
  }
  const atDesk = payment?.provider === 'ON_SITE';
  return (
    <Alert color="orange" title={`Kept for you until ${formatHoldEnd(order, end, now)}`}>
      <Stack gap="sm" align="flex-start">
        <FormError error={confirm.error} />
        <Text size="sm">
          {allowedActions.confirm && 'Confirm that you are coming to keep these places.'}
          {confirmationRequired &&
            !allowedActions.confirm &&
            `We sent a mail to ${order.buyer.email ?? 'you'}. Open the link in it and confirm there. If no mail arrives within a few minutes, look in your spam folder. We send only a few mails an hour to one address: order again later, or ask the organiser.`}
          {hasPrice && atDesk && `Pay ${formatMoney(total)} at the front desk until then.`}
          {hasPrice && !atDesk && 'Pay until then, and everything is yours. '}
          {hasPrice && !atDesk && 'You have just paid? It shows here within seconds.'}
        </Text>
        <Text size="sm" fw={600} role="timer">
          {formatRemainingTime(end, now)}
        </Text>
        <Group gap="sm" className={classes.screenOnly ?? ''}>
          {allowedActions.confirm && (
            <Button loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
              Confirm
            </Button>
          )}
          {hasPrice && !atDesk && payment?.url && (
            <Button component="a" href={payment.url}>
              Pay {formatMoney(total)}
            </Button>
          )}
          <Button variant="default" onClick={onCancel}>
            Give up
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function ConfirmedNotice({ order }: { order: PortalOrder }) {
  const valid = toValidAdmissions(order).length;
  if (valid === 0) return null;
  const word = formatAdmissionNoun(valid, order);
  return (
    <Alert color="teal" role="status" title="Confirmed">
      {valid === 1 ? `Your ${word} is below.` : `Your ${word} are below.`} Show the code at the
      door, on your phone or on paper.
    </Alert>
  );
}

interface EndedNoticeProps {
  order: PortalOrder;
  title: string;
  children: string;
}

function EndedNotice({ order: { event }, title, children }: EndedNoticeProps) {
  const again = event ? `/events/${event.slug}` : '/day-passes';
  return (
    <Alert color="gray" role="status" title={title}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{children}</Text>
        {event?.status !== 'CANCELLED' && (
          <Button variant="default" size="xs" component={Link} to={again}>
            Order again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

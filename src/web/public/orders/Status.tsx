import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useNow } from '../../ui/use-now.ts';
import { countWords, validOf } from './admission.ts';
import { useConfirm } from './changes.ts';
import { endWords, remainingWords } from './hold.ts';
import classes from './Portal.module.css';
import type { Order } from './queries.ts';

interface Props {
  order: Order;
  secret: string;
  onGiveUp: () => void;
}

/** Where the order stands, in words, and what is to be done about it first. */
export function Status(props: Props) {
  const { order } = props;
  switch (order.status) {
    case 'PENDING':
      return <Held {...props} />;
    case 'PAID':
      return <Confirmed order={order} />;
    case 'EXPIRED':
      return (
        <Ended
          order={order}
          title={order.payment ? 'The time to pay is over' : 'The time to confirm is over'}
        >
          {order.paid.amount > 0
            ? 'Your payment came when the tickets were gone already. It goes back to you.'
            : 'Nothing was paid, and what was kept for you is free for others again.'}
        </Ended>
      );
    case 'CANCELLED':
      return (
        <Ended order={order} title="This order is cancelled">
          {order.refundedAmount.amount > 0
            ? `You get back ${moneyWords(order.refundedAmount)}.`
            : 'Nobody is let in by it any more.'}
        </Ended>
      );
  }
}

function Held({ order, secret, onGiveUp }: Props) {
  const now = useNow(1);
  const confirm = useConfirm(secret, () => notifyDone('Confirmed.'));
  const { may, payment, total, expiresAt, confirmationRequired } = order;
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
    <Alert color="orange" title={`Kept for you until ${endWords(order, end, now)}`}>
      <Stack gap="sm" align="flex-start">
        <FormFailure error={confirm.error} />
        <Text size="sm">
          {may.confirm && 'Confirm that you are coming to keep these places.'}
          {confirmationRequired &&
            !may.confirm &&
            `We sent a mail to ${order.buyer.email ?? 'you'}. Open the link in it and confirm there. If no mail arrives within a few minutes, look in your spam folder. We send only a few mails an hour to one address: order again later, or ask the organiser.`}
          {hasPrice && atDesk && `Pay ${moneyWords(total)} at the front desk until then.`}
          {hasPrice && !atDesk && 'Pay until then, and everything is yours. '}
          {hasPrice && !atDesk && 'You have just paid? It shows here within seconds.'}
        </Text>
        <Text size="sm" fw={600} role="timer">
          {remainingWords(end, now)}
        </Text>
        <Group gap="sm" className={classes.screenOnly ?? ''}>
          {may.confirm && (
            <Button loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
              Confirm
            </Button>
          )}
          {hasPrice && !atDesk && payment?.url && (
            <Button component="a" href={payment.url}>
              Pay {moneyWords(total)}
            </Button>
          )}
          <Button variant="default" onClick={onGiveUp}>
            Give up
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Confirmed({ order }: { order: Order }) {
  const valid = validOf(order).length;
  if (valid === 0) return null;
  const word = countWords(valid, order);
  return (
    <Alert color="teal" role="status" title="Confirmed">
      {valid === 1 ? `Your ${word} is below.` : `Your ${word} are below.`} Show the code at the
      door, on your phone or on paper.
    </Alert>
  );
}

interface EndedProps {
  order: Order;
  title: string;
  children: string;
}

function Ended({ order: { event }, title, children }: EndedProps) {
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

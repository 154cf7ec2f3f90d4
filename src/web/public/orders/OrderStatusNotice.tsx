import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useNow } from '../../components/browser-time.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { formatWeek } from '../../components/opening-hours.ts';
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

/** Shows the status of the order and what to do next. */
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
          title={order.payment ? 'The time to pay has run out' : 'The time to confirm has run out'}
        >
          {order.paid.amount > 0
            ? 'Your payment arrived after the tickets were released. It will be refunded.'
            : 'You haven’t been charged, and your reservation has been released.'}
        </EndedNotice>
      );
    case 'CANCELLED':
      return (
        <EndedNotice order={order} title="This order has been cancelled">
          {order.refundedAmount.amount > 0
            ? `Refund: ${formatMoney(order.refundedAmount)}`
            : 'It’s no longer valid for entry.'}
        </EndedNotice>
      );
  }
}

function PendingNotice({ order, secret, onCancel }: Props) {
  const now = useNow(1);
  const confirm = useConfirmOrder(secret, () => notifySuccess('Confirmed.'));
  const { allowedActions, payment, expiresAt } = order;
  const end = new Date(expiresAt ?? now);
  if (end <= now) {
    return (
      <Alert color="orange" role="status" title="Your reservation has expired">
        If you’ve just paid, this page will update in a moment.
      </Alert>
    );
  }
  return (
    <Alert color="orange" title={`Reserved for you until ${formatHoldEnd(order, end, now)}`}>
      <Stack gap="sm" align="flex-start">
        <FormError error={confirm.error} />
        {listNextSteps(order, now).map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        <Text size="sm" fw={600} role="timer">
          {formatRemainingTime(end, now)}
        </Text>
        <Group gap="sm" className={classes.screenOnly ?? ''}>
          {allowedActions.confirm && (
            <Button loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
              Confirm
            </Button>
          )}
          {payment?.url && payment.provider !== 'ON_SITE' && (
            <Button component="a" href={payment.url}>
              Pay {formatMoney(order.total)}
            </Button>
          )}
          <Button variant="default" onClick={onCancel}>
            Cancel order
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Says how to keep the reservation: confirm it, pay it, or both. */
function listNextSteps(order: PortalOrder, now: Date): string[] {
  const { allowedActions, payment, total, expiresAt, confirmedHoldUntil } = order;
  const { confirmationRequired, location, buyer } = order;
  const openingHours = location?.openingHours ?? [];
  const keptUntil = confirmedHoldUntil && formatHoldEnd(order, new Date(confirmedHoldUntil), now);
  const confirm = keptUntil
    ? `Confirm it to keep it until ${keptUntil}.`
    : 'Confirm that you’re coming to keep your reservation.';
  const openEmail = `We’ve emailed ${buyer.email ?? 'you'}. Open the link in the email to confirm your ${payment ? 'reservation' : 'registration'}${keptUntil ? `, and we keep it until ${keptUntil}` : ''}. If it doesn’t arrive within a few minutes, check your spam folder. We send only a few emails an hour to one address, so you may need to order again later or ask the organizer.`;
  const steps = confirmationRequired ? [allowedActions.confirm ? confirm : openEmail] : [];
  if (payment === null) return steps;
  if (payment.provider !== 'ON_SITE')
    return [
      ...steps,
      'Pay by then to complete your order. Already paid? This page updates within seconds.',
    ];
  const until = keptUntil ?? formatHoldEnd(order, new Date(expiresAt ?? now), now);
  const place = [location?.name, location?.address].filter(Boolean).join(', ');
  return [
    ...steps,
    `Pay ${formatMoney(total)} at the front desk by ${until}${place ? `: ${place}` : ''}.`,
    ...(openingHours.length > 0 ? [`Opening hours: ${formatWeek(openingHours).join(', ')}.`] : []),
  ];
}

function ConfirmedNotice({ order }: { order: PortalOrder }) {
  const valid = toValidAdmissions(order).length;
  if (valid === 0) return null;
  const noun = formatAdmissionNoun(valid, order);
  return (
    <Alert color="teal" role="status" title="Confirmed">
      {valid === 1
        ? `Your ${noun} is below. Show its code at the entrance, on your phone or printed.`
        : `Your ${noun} are below. Show their codes at the entrance, on your phone or printed.`}
    </Alert>
  );
}

interface EndedNoticeProps {
  order: PortalOrder;
  title: string;
  children: string;
}

function EndedNotice({ order: { event }, title, children }: EndedNoticeProps) {
  const orderAgainPath = event ? `/events/${event.slug}` : '/day-passes';
  return (
    <Alert color="gray" role="status" title={title}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{children}</Text>
        {event?.status !== 'CANCELLED' && (
          <Button variant="default" size="xs" component={Link} to={orderAgainPath}>
            Order again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

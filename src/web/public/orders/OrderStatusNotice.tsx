import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useNow } from '../../components/browser-time.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { formatWeek } from '../../components/opening-hours.ts';
import { getText } from '../../language/page-texts.ts';
import { useConfirmOrder } from './mutations.ts';
import classes from './OrderPortal.module.css';
import { formatHoldEnd, formatRemainingTime, toValidAdmissions } from './order-details.ts';
import { toPayLabel } from './pay-label.ts';
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
          title={order.payment ? getText('order.payTimeOver') : getText('order.confirmTimeOver')}
        >
          {order.paid.amount > 0 ? getText('order.paidTooLate') : getText('order.released')}
        </EndedNotice>
      );
    case 'CANCELLED':
      return (
        <EndedNotice order={order} title={getText('order.isCancelled')}>
          {order.refundedAmount.amount > 0
            ? getText('order.refundAmount', { money: formatMoney(order.refundedAmount) })
            : getText('order.notValidForEntry')}
        </EndedNotice>
      );
  }
}

function PendingNotice({ order, secret, onCancel }: Props) {
  const now = useNow(1);
  const confirm = useConfirmOrder(secret, () => notifySuccess(getText('order.confirmed.toast')));
  const { allowedActions, payment, expiresAt } = order;
  const end = new Date(expiresAt ?? now);
  if (end <= now) {
    return (
      <Alert color="orange" role="status" title={getText('order.holdExpired')}>
        {getText('order.justPaid')}
      </Alert>
    );
  }
  const cancel = (
    <Button variant="default" onClick={onCancel}>
      {getText('order.cancelOrder')}
    </Button>
  );
  if (order.paymentInProgress)
    return (
      <Alert color="blue" role="status" title={getText('order.paymentInProgress')}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{getText('order.paymentTakesDays')}</Text>
          <Group className={classes.screenOnly ?? ''}>{cancel}</Group>
        </Stack>
      </Alert>
    );
  return (
    <Alert
      color="orange"
      title={getText('order.reservedUntil', { time: formatHoldEnd(order, end, now) })}
    >
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
              {getText('order.confirm')}
            </Button>
          )}
          {payment?.url && payment.provider !== 'ON_SITE' && (
            <Button component="a" href={payment.url}>
              {toPayLabel(order)}
            </Button>
          )}
          {cancel}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Says how to keep the reservation: confirm it, pay it, or both. */
export function listNextSteps(order: PortalOrder, now: Date): string[] {
  const { allowedActions, payment, total, expiresAt, confirmedHoldUntil } = order;
  const { confirmationRequired, location, buyer } = order;
  const openingHours = location?.openingHours ?? [];
  const keptUntil = confirmedHoldUntil && formatHoldEnd(order, new Date(confirmedHoldUntil), now);
  const confirm = keptUntil
    ? getText('order.confirmToKeep', { time: keptUntil })
    : getText('order.confirmComing');
  const openEmail = getText('order.openEmail', {
    email: buyer.email ?? getText('order.you'),
    confirmed: getText(payment ? 'order.reservation' : 'order.registration'),
    kept: keptUntil ? getText('order.keptUntil', { time: keptUntil }) : '',
  });
  const steps = confirmationRequired ? [allowedActions.confirm ? confirm : openEmail] : [];
  if (payment === null) return steps;
  if (payment.provider !== 'ON_SITE') return [...steps, getText('order.payByThen')];
  const until = keptUntil ?? formatHoldEnd(order, new Date(expiresAt ?? now), now);
  const place = [location?.name, location?.address].filter(Boolean).join(', ');
  return [
    ...steps,
    place
      ? getText('order.payAtPlace', { money: formatMoney(total), time: until, place })
      : getText('order.payAtDesk', { money: formatMoney(total), time: until }),
    ...(openingHours.length > 0
      ? [getText('order.openingHours', { hours: formatWeek(openingHours).join(', ') })]
      : []),
  ];
}

function ConfirmedNotice({ order }: { order: PortalOrder }) {
  const valid = toValidAdmissions(order).length;
  if (valid === 0) return null;
  return (
    <Alert color="teal" role="status" title={getText('order.confirmed')}>
      {order.event
        ? getText('order.ticketsBelow', { count: valid })
        : getText('order.passesBelow', { count: valid })}
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
            {getText('order.orderAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

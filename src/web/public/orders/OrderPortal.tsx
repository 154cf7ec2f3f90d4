import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { toServiceUrl } from '../../api/urls.ts';
import { formatTimeZoneSuffix } from '../../components/browser-time.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { formatLongTimeSpan, formatOpenDay } from '../../language/page-dates.ts';
import { getText, renderText } from '../../language/page-texts.ts';
import { AdmissionCards } from './AdmissionCards.tsx';
import { CancelOrder } from './CancelOrder.tsx';
import { useResendOrderConfirmation } from './mutations.ts';
import { OrderPayment } from './OrderPayment.tsx';
import classes from './OrderPortal.module.css';
import { OrderStatusNotice } from './OrderStatusNotice.tsx';
import { getOrderTitle, toOrderAdmissions } from './order-details.ts';
import type { PortalOrder } from './queries.ts';

/** Shows buyers their order and lets them pay, change and cancel it. */
export function OrderPortal({ order, secret }: { order: PortalOrder; secret: string }) {
  const { event, code, status, allowedActions } = order;
  const cancelDialog = useDialog();
  const title = getOrderTitle(order);
  const isEventCancelled = event?.status === 'CANCELLED';
  return (
    <Stack gap="lg">
      <PageTitle>{title}</PageTitle>
      <header>
        <Text size="sm" c="dimmed">
          {renderText(
            'order.order',
            { code: (label) => <span className={classes.code}>{label}</span> },
            { number: code ?? '' },
          )}
        </Text>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
      </header>
      {isEventCancelled && (
        <Alert color="red" role="status" title={getText('event.cancelled')}>
          {order.paid.amount > 0 ? getText('order.willRefund') : getText('order.ticketsInvalid')}
        </Alert>
      )}
      <OrderStatusNotice order={order} secret={secret} onCancel={() => cancelDialog.open(true)} />
      <div>
        <DescriptionList items={toOrderSummary(order)} />
        <Group gap="md" mt="sm" className={classes.screenOnly ?? ''}>
          {status === 'PAID' && !isEventCancelled && (
            <Anchor size="sm" href={toServiceUrl(`public/orders/${secret}/calendar.ics`)}>
              {getText('order.addToCalendar')}
            </Anchor>
          )}
          {event && !isEventCancelled && (
            <Anchor size="sm" component={Link} to={`/events/${event.slug}`}>
              {getText('order.eventDetails')}
            </Anchor>
          )}
        </Group>
      </div>
      {toOrderAdmissions(order).length > 0 && <AdmissionCards order={order} secret={secret} />}
      <OrderPayment order={order} secret={secret} />
      {status === 'PAID' && (
        <Group gap="sm" className={classes.screenOnly ?? ''}>
          <ResendConfirmation secret={secret} email={order.buyer.email} />
          {allowedActions.cancel && (
            <Button variant="subtle" color="red" onClick={() => cancelDialog.open(true)}>
              {event ? getText('order.cancelTickets') : getText('order.cancelPasses')}
            </Button>
          )}
        </Group>
      )}
      <Dialog
        state={cancelDialog}
        title={status === 'PENDING' ? getText('order.cancelThis') : getText('order.cancelTickets')}
      >
        {() => <CancelOrder order={order} secret={secret} onClose={cancelDialog.close} />}
      </Dialog>
    </Stack>
  );
}

function toOrderSummary({
  event,
  day,
  items,
  location,
  buyer,
}: PortalOrder): [string, string | null][] {
  const quantities = items
    .map(({ quantity, typeName }) => (quantity === 1 ? typeName : `${quantity} × ${typeName}`))
    .join(', ');
  const validOn = items[0]?.validOn;
  const when = event
    ? formatLongTimeSpan(event.startsAt, event.endsAt, event.timeZone) +
      formatTimeZoneSuffix(event.startsAt, event.timeZone)
    : validOn
      ? formatOpenDay(validOn, day?.openingTimes ?? null)
      : null;
  const where =
    [location?.name, event?.roomName, location?.address].filter(Boolean).join(', ') || null;
  return [
    [getText('event.when'), when],
    [getText('event.where'), where],
    [getText('order.items'), quantities],
    [getText('order.buyer'), [buyer.name, buyer.email].filter(Boolean).join(', ')],
  ];
}

function ResendConfirmation({ secret, email }: { secret: string; email: string | null }) {
  const resend = useResendOrderConfirmation(secret, () =>
    notifySuccess(
      email === null
        ? getText('order.confirmationSent')
        : getText('order.confirmationSentTo', { email }),
    ),
  );
  return (
    <Button
      variant="default"
      loading={resend.isPending}
      onClick={() =>
        resend.mutate(undefined, {
          onError: (error) => notifyFailure(getText('order.confirmationNotSent'), error),
        })
      }
    >
      {getText('order.resend')}
    </Button>
  );
}

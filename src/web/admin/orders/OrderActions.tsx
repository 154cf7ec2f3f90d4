import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Confirmation, Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { toRefundableAmount } from './admissions.ts';
import {
  type OrderDetails,
  useMarkPaid,
  useRefundOrder,
  useResendOrder,
  useRevokeOrderLinks,
} from './queries.ts';
import { RefundOrderForm } from './RefundOrderForm.tsx';
import { listRefundKinds } from './refund-plan.ts';

export function OrderActions({ order }: { order: OrderDetails }) {
  const paying = useDialog();
  const releasing = useDialog();
  const refunding = useDialog();
  const revoking = useDialog();
  const resend = useResendOrder(() =>
    notifySuccess(
      `The confirmation is sent to ${order.buyer.email ?? order.buyer.name} once more.`,
    ),
  );
  const { status, payment } = order;
  // Money may come after the hold is over; what it was for is then taken again, if it is still there.
  const canBePaid =
    payment?.provider === 'ON_SITE' && (status === 'PENDING' || status === 'EXPIRED');
  const isFree = toRefundableAmount(order).amount === 0;
  return (
    <Group gap="sm">
      {status === 'PENDING' && (
        <Button variant="subtle" color="red" onClick={() => releasing.open(true)}>
          Release
        </Button>
      )}
      {canBePaid && order.paid.amount === 0 && (
        <Button onClick={() => paying.open(true)}>Mark as paid</Button>
      )}
      {status === 'PAID' && (
        <Button
          variant="default"
          loading={resend.isPending}
          onClick={() =>
            resend.mutate(order.id, {
              onError: (error) => notifyFailure('The confirmation is not sent', error),
            })
          }
        >
          Resend confirmation
        </Button>
      )}
      <Button variant="default" onClick={() => revoking.open(true)}>
        Revoke links
      </Button>
      {listRefundKinds(order).length > 0 && (
        <Button variant="light" color="red" onClick={() => refunding.open(true)}>
          {isFree ? 'Cancel tickets' : 'Refund'}
        </Button>
      )}
      <Dialog state={paying} title="Is it paid?">
        {() => <MarkPaidConfirmation order={order} onClose={paying.close} />}
      </Dialog>
      <Dialog state={releasing} title="Release this order?">
        {() => <ReleaseOrderConfirmation order={order} onClose={releasing.close} />}
      </Dialog>
      <Dialog state={revoking} title={`Revoke the links to ${order.code}?`}>
        {() => <RevokeLinksConfirmation order={order} onClose={revoking.close} />}
      </Dialog>
      <Dialog state={refunding} title={`${isFree ? 'Cancel' : 'Refund'} ${order.code}`}>
        {() => <RefundOrderForm order={order} onClose={refunding.close} />}
      </Dialog>
    </Group>
  );
}

function MarkPaidConfirmation({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const pay = useMarkPaid((isConfirmed) => {
    notifySuccess(
      isConfirmed
        ? `The order ${order.code} is paid and confirmed.`
        : 'What it was for is gone: the money is due back, see below.',
    );
    onClose();
  });
  return (
    <>
      <Stack gap="sm">
        <FormError error={pay.error} />
        <Text size="sm">
          You have all of <b>{formatMoney(order.total)}</b> from {order.buyer.name}. The order is
          confirmed then, and the tickets or passes go out by mail.
        </Text>
        {order.status === 'EXPIRED' && (
          <Alert color="orange" role="status">
            It has expired. What was held is taken again if it is still there; if not, the money is
            due back, and the buyer is told.
          </Alert>
        )}
      </Stack>
      <DialogActions
        label="It is paid"
        cancelLabel="Not yet"
        onCancel={onClose}
        onConfirm={() => pay.mutate(order.id)}
        pending={pay.isPending}
      />
    </>
  );
}

/** Ends a hold before its time. */
function ReleaseOrderConfirmation({
  order,
  onClose,
}: {
  order: OrderDetails;
  onClose: () => void;
}) {
  const release = useRefundOrder(() => {
    notifySuccess(`The order ${order.code} is released.`);
    onClose();
  });
  return (
    <Confirmation
      label="Release it"
      cancelLabel="Keep it"
      onCancel={onClose}
      onConfirm={() => release.mutate({ orderId: order.id })}
      pending={release.isPending}
      error={release.error}
    >
      It is not paid yet. What it holds goes to those who wait, or on sale again. {order.buyer.name}{' '}
      cannot pay it any more.
    </Confirmation>
  );
}

/** For links that reached somebody whom they are not for. */
function RevokeLinksConfirmation({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const revoke = useRevokeOrderLinks(() => {
    notifySuccess(`The links to ${order.code} no longer work.`);
    onClose();
  });
  return (
    <Confirmation
      label="Revoke links"
      cancelLabel="Keep them"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(order.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      All links that open this order stop working, also those in mails. The tickets stay valid.
      Resend the confirmation to give {order.buyer.name} a new link.
    </Confirmation>
  );
}

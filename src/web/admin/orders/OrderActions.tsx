import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirmation, Dialog, DialogForm, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess, notifyWarning } from '../../components/notify.ts';
import type { MarkOrderPaidMutation, PaymentMethod } from '../../gql/graphql.ts';
import { ExtendHoldForm } from './ExtendHoldForm.tsx';
import { toRefundableAmount } from './order-details.ts';
import { PaymentMethodField } from './PaymentMethodField.tsx';
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
  const extending = useDialog();
  const releasing = useDialog();
  const refunding = useDialog();
  const revoking = useDialog();
  const resend = useResendOrder(() =>
    notifySuccess(`Confirmation resent to ${order.buyer.email ?? order.buyer.name}.`),
  );
  const { staffActions: allowed } = order;
  const isFree = toRefundableAmount(order).amount === 0;
  return (
    <Group gap="sm">
      {allowed.cancel && order.status === 'PENDING' && (
        <Button variant="subtle" color="red" onClick={() => releasing.open(true)}>
          Release
        </Button>
      )}
      {allowed.extendHold && (
        <Button variant="default" onClick={() => extending.open(true)}>
          Hold longer
        </Button>
      )}
      {allowed.markPaid && <Button onClick={() => paying.open(true)}>Mark as paid</Button>}
      {allowed.resend && (
        <Button
          variant="default"
          loading={resend.isPending}
          onClick={() =>
            resend.mutate(order.id, {
              onError: (error) => notifyFailure('Could not resend the confirmation', error),
            })
          }
        >
          Resend confirmation
        </Button>
      )}
      {allowed.revokeLinks && (
        <Button variant="default" onClick={() => revoking.open(true)}>
          Revoke links
        </Button>
      )}
      {listRefundKinds(order).length > 0 && (
        <Button variant="light" color="red" onClick={() => refunding.open(true)}>
          {isFree ? 'Cancel tickets' : 'Refund'}
        </Button>
      )}
      <Dialog state={paying} title="Mark as paid">
        {() => <MarkPaidForm order={order} onClose={paying.close} />}
      </Dialog>
      <Dialog state={extending} title="Hold longer">
        {() => <ExtendHoldForm order={order} onClose={extending.close} />}
      </Dialog>
      <Dialog state={releasing} title="Release order?">
        {() => <ReleaseOrderConfirmation order={order} onClose={releasing.close} />}
      </Dialog>
      <Dialog state={revoking} title={`Revoke links to ${order.code}?`}>
        {() => <RevokeLinksConfirmation order={order} onClose={revoking.close} />}
      </Dialog>
      <Dialog state={refunding} title={`${isFree ? 'Cancel' : 'Refund'} ${order.code}`}>
        {() => <RefundOrderForm order={order} onClose={refunding.close} />}
      </Dialog>
    </Group>
  );
}

function MarkPaidForm({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const pay = useMarkPaid((marked) => {
    if (marked.outcome === 'REFUND_PENDING') notifyWarning(formatReturnMoney(order, marked.order));
    else notifySuccess(formatMarkedPaid(order, marked));
    onClose();
  });
  return (
    <DialogForm
      label="Mark as paid"
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        pay.mutate({ id: order.id, method });
      }}
      mutation={pay}
    >
      <Text size="sm">
        Mark this order as paid if you received the full <b>{formatMoney(order.total)}</b> from{' '}
        {order.buyer.name}. This confirms the order and sends the tickets or passes by email.
      </Text>
      <PaymentMethodField label="How did they pay?" value={method} onChange={setMethod} />
      {order.status === 'EXPIRED' && (
        <Alert color="orange" role="status">
          This order has expired. Its items are reserved again if they are still available.
          Otherwise you must refund the payment, and the buyer is notified.
        </Alert>
      )}
    </DialogForm>
  );
}

type MarkedPaid = MarkOrderPaidMutation['markOrderPaid'];

/** Says why the payment issued no tickets, and what staff do next. */
function formatReturnMoney({ total, buyer, event }: OrderDetails, { status }: MarkedPaid['order']) {
  const [item, reasons] = event
    ? ['ticket', 'its tickets are sold or the event is over']
    : ['day pass', 'its day passes are sold or the day is over'];
  const cause = {
    CANCELLED: 'The order was cancelled',
    EXPIRED: `The order has expired, and ${reasons}`,
    PAID: 'The order was already paid',
    PENDING: 'The payment does not match the order',
  }[status];
  return `${cause}, so no ${item} was issued. Return ${formatMoney(total)} to ${buyer.name}, then confirm it under Refunds.`;
}

const formatMarkedPaid = ({ code }: OrderDetails, { outcome, order: { status } }: MarkedPaid) =>
  outcome === 'CONFIRMED'
    ? `Order ${code} is paid and confirmed.`
    : `The payment of order ${code} was already recorded. The order is ${status.toLowerCase()}.`;

function ReleaseOrderConfirmation({
  order,
  onClose,
}: {
  order: OrderDetails;
  onClose: () => void;
}) {
  const release = useRefundOrder(() => {
    notifySuccess(`Order ${order.code} released.`);
    onClose();
  });
  return (
    <Confirmation
      label="Release order"
      cancelLabel="Keep order"
      onCancel={onClose}
      onConfirm={() => release.mutate({ id: order.id })}
      pending={release.isPending}
      error={release.error}
    >
      This order is not paid. Its items go to the waiting list or back on sale. {order.buyer.name}{' '}
      can no longer pay, and gets an email if the order was to be paid at the front desk.
    </Confirmation>
  );
}

/** For links that reached the wrong person. */
function RevokeLinksConfirmation({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const revoke = useRevokeOrderLinks(() => {
    notifySuccess(`Links to ${order.code} revoked.`);
    onClose();
  });
  return (
    <Confirmation
      label="Revoke links"
      cancelLabel="Keep links"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(order.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      All links to this order stop working, including links in emails. Tickets stay valid. Resend
      the confirmation to send {order.buyer.name} a new link.
    </Confirmation>
  );
}

import { Button, Group } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { leftOf } from './admissions.ts';
import { useResendOrder } from './changes.ts';
import { MarkPaid } from './MarkPaid.tsx';
import type { OrderDetails } from './order-queries.ts';
import { RefundOrder } from './RefundOrder.tsx';
import { ReleaseOrder } from './ReleaseOrder.tsx';
import { RevokeLinks } from './RevokeLinks.tsx';
import { kindsFor } from './refund-plan.ts';

export function OrderActions({ order }: { order: OrderDetails }) {
  const paying = useDialog();
  const releasing = useDialog();
  const refunding = useDialog();
  const revoking = useDialog();
  const resend = useResendOrder(() =>
    notifyDone(`The confirmation is sent to ${order.buyer.email ?? order.buyer.name} once more.`),
  );
  const { status, payment } = order;
  // Money may come after the hold is over; what it was for is then taken again, if it is still there.
  const mayBePaid =
    payment?.provider === 'ON_SITE' && (status === 'PENDING' || status === 'EXPIRED');
  const isFree = leftOf(order).amount === 0;
  return (
    <Group gap="sm">
      {status === 'PENDING' && (
        <Button variant="subtle" color="red" onClick={() => releasing.open(true)}>
          Release
        </Button>
      )}
      {mayBePaid && order.paid.amount === 0 && (
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
      {kindsFor(order).length > 0 && (
        <Button variant="light" color="red" onClick={() => refunding.open(true)}>
          {isFree ? 'Cancel tickets' : 'Refund'}
        </Button>
      )}
      <Dialog state={paying} title="Is it paid?">
        {() => <MarkPaid order={order} onClose={paying.close} />}
      </Dialog>
      <Dialog state={releasing} title="Release this order?">
        {() => <ReleaseOrder order={order} onClose={releasing.close} />}
      </Dialog>
      <Dialog state={revoking} title={`Revoke the links to ${order.code}?`}>
        {() => <RevokeLinks order={order} onClose={revoking.close} />}
      </Dialog>
      <Dialog state={refunding} title={`${isFree ? 'Cancel' : 'Refund'} ${order.code}`}>
        {() => <RefundOrder order={order} onClose={refunding.close} />}
      </Dialog>
    </Group>
  );
}

import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useRefundOrder } from './changes.ts';
import type { OrderDetails } from './order-queries.ts';

/** Ends a hold before its time. */
export function ReleaseOrder({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const release = useRefundOrder(() => {
    notifyDone(`The order ${order.code} is released.`);
    onClose();
  });
  return (
    <Confirm
      label="Release it"
      cancelLabel="Keep it"
      onCancel={onClose}
      onConfirm={() => release.mutate({ orderId: order.id })}
      pending={release.isPending}
      error={release.error}
    >
      It is not paid yet. What it holds goes to those who wait, or on sale again. {order.buyer.name}{' '}
      cannot pay it any more.
    </Confirm>
  );
}

import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useRevokeOrderLinks } from './changes.ts';
import type { OrderDetails } from './order-queries.ts';

/** For links that reached somebody whom they are not for. */
export function RevokeLinks({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const revoke = useRevokeOrderLinks(() => {
    notifyDone(`The links to ${order.code} no longer work.`);
    onClose();
  });
  return (
    <Confirm
      label="Revoke links"
      cancelLabel="Keep them"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(order.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      All links that open this order stop working, also those in mails. The tickets stay valid.
      Resend the confirmation to give {order.buyer.name} a new link.
    </Confirm>
  );
}

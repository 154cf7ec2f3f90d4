import { Alert, Stack, Text } from '@mantine/core';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useMarkPaid } from './changes.ts';
import type { OrderDetails } from './order-queries.ts';

export function MarkPaid({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const pay = useMarkPaid((isConfirmed) => {
    notifyDone(
      isConfirmed
        ? `The order ${order.code} is paid and confirmed.`
        : 'What it was for is gone: the money is due back, see below.',
    );
    onClose();
  });
  return (
    <>
      <Stack gap="sm">
        <FormFailure error={pay.error} />
        <Text size="sm">
          You have all of <b>{moneyWords(order.total)}</b> from {order.buyer.name}. The order is
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

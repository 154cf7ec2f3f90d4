import { Button, Text } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { type Refund, useRetryRefund, useSettleRefund } from './refund-queries.ts';

/** What staff does where no provider does it. */
export function RefundActions({ refund }: { refund: Refund }) {
  const settling = useDialog();
  const retry = useRetryRefund(() =>
    notifyDone('The payment provider tries again in a moment. Look here for what comes of it.'),
  );
  const { status, provider, orderCode } = refund;
  const isStaffs = status === 'FAILED' || (status === 'DUE' && provider === 'ON_SITE');
  if (!isStaffs) return null;
  return (
    <>
      {status === 'FAILED' && provider !== 'ON_SITE' && (
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          aria-label={`Try the refund of ${orderCode} again`}
          onClick={() =>
            retry.mutate(refund.id, {
              onError: (error) => notifyFailure('It cannot be tried again', error),
            })
          }
        >
          Retry
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`Settle the refund of ${orderCode}`}
        onClick={() => settling.open(true)}
      >
        Settle
      </Button>
      <Dialog state={settling} title="Has the money gone back?">
        {() => <Settle refund={refund} onClose={settling.close} />}
      </Dialog>
    </>
  );
}

function Settle({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const settle = useSettleRefund(() => {
    notifyDone(`The refund of ${refund.orderCode} is settled.`);
    onClose();
  });
  return (
    <>
      <FormFailure error={settle.error} />
      <Text size="sm">
        Settle it once the buyer of <code>{refund.orderCode}</code> has{' '}
        <b>{moneyWords(refund.amount)}</b> back
        {refund.provider === 'ON_SITE' ? ' from the till' : ', by a transfer for example'}. It
        cannot be made undone here.
      </Text>
      <DialogActions
        label="It has gone back"
        cancelLabel="Not yet"
        onCancel={onClose}
        onConfirm={() => settle.mutate(refund.id)}
        pending={settle.isPending}
      />
    </>
  );
}

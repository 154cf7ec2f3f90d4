import { Button, Text } from '@mantine/core';
import { DateTime } from '../../components/DateTime.tsx';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import type { RefundStatus } from '../../gql/graphql.ts';
import { type Refund, useRetryRefund, useSettleRefund } from './refund-queries.ts';

/** What staff does where no provider does it. */
export function RefundActions({ refund }: { refund: Refund }) {
  const settling = useDialog();
  const retry = useRetryRefund(() =>
    notifySuccess('The payment provider tries again in a moment. Look here for what comes of it.'),
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
        {() => <SettleRefundConfirmation refund={refund} onClose={settling.close} />}
      </Dialog>
    </>
  );
}

function SettleRefundConfirmation({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const settle = useSettleRefund(() => {
    notifySuccess(`The refund of ${refund.orderCode} is settled.`);
    onClose();
  });
  return (
    <>
      <FormError error={settle.error} />
      <Text size="sm">
        Settle it once the buyer of <code>{refund.orderCode}</code> has{' '}
        <b>{formatMoney(refund.amount)}</b> back
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

const REFUND_STATUS_LABELS: Record<RefundStatus, [color: string, word: string]> = {
  DUE: ['yellow', 'Due'],
  DONE: ['teal', 'Done'],
  FAILED: ['red', 'Failed'],
};

export function RefundStatusBadge({ refund }: { refund: Refund }) {
  const { status, provider, problem, doneAt } = refund;
  const [color, word] = REFUND_STATUS_LABELS[status];
  return (
    <>
      <StatusBadge color={color}>{word}</StatusBadge>
      <Text size="xs" c="dimmed" mt={4} maw={280} style={{ overflowWrap: 'anywhere' }}>
        {status === 'DONE' && doneAt && <DateTime at={doneAt} format="since" />}
        {status === 'DUE' &&
          (provider === 'ON_SITE'
            ? 'Hand the money out, then settle it'
            : (problem ?? 'The payment provider is about to do it'))}
        {status === 'FAILED' && (problem ?? 'The payment provider did not say why')}
      </Text>
    </>
  );
}

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { DateTime } from '../../components/browser-time.tsx';
import { isAnyAllowed } from '../../components/DataTable.tsx';
import { Dialog, DialogForm, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { PaymentMethod, RefundStatus } from '../../gql/graphql.ts';
import { PaymentMethodField } from './PaymentMethodField.tsx';
import { type Refund, useRetryRefund, useSettleRefund } from './refund-queries.ts';

/** The actions of a refund in a table. Null if it does not need staff. */
export const toRefundActions = (refund: Refund) =>
  isAnyAllowed(refund.allowedActions) ? <RefundActions refund={refund} /> : null;

function RefundActions({ refund }: { refund: Refund }) {
  const settling = useDialog();
  const retry = useRetryRefund(() =>
    notifySuccess('The refund is retried in a moment. Its status updates here.'),
  );
  const { orderCode, allowedActions: allowed } = refund;
  return (
    <>
      {allowed.retry && (
        <Button
          size="xs"
          variant="default"
          loading={retry.isPending}
          aria-label={`Retry refund of ${orderCode}`}
          onClick={() =>
            retry.mutate(refund.id, {
              onError: (error) => notifyFailure('Could not retry the refund', error),
            })
          }
        >
          Retry
        </Button>
      )}
      {allowed.settle && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Settle refund of ${orderCode}`}
          onClick={() => settling.open(true)}
        >
          Settle
        </Button>
      )}
      <Dialog state={settling} title="Settle refund">
        {() => <SettleRefundForm refund={refund} onClose={settling.close} />}
      </Dialog>
    </>
  );
}

function SettleRefundForm({ refund, onClose }: { refund: Refund; onClose: () => void }) {
  const paidBy = refund.payment?.method ?? 'CARD_ONLINE';
  const [method, setMethod] = useState<PaymentMethod>(paidBy === 'CARD_ONLINE' ? 'OTHER' : paidBy);
  const settle = useSettleRefund(() => {
    notifySuccess(`Refund of ${refund.orderCode} settled.`);
    onClose();
  });
  return (
    <DialogForm
      label="Settle refund"
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        settle.mutate({ id: refund.id, method });
      }}
      mutation={settle}
    >
      <Text size="sm">
        Settle this refund once the buyer of order <code>{refund.orderCode}</code> has received{' '}
        <b>{formatMoney(refund.amount)}</b>. This cannot be undone.
      </Text>
      <PaymentMethodField
        label="How did you return the money?"
        value={method}
        onChange={setMethod}
      />
    </DialogForm>
  );
}

const REFUND_STATUS_LABELS: Record<RefundStatus, [color: string, label: string]> = {
  PENDING: ['yellow', 'Pending'],
  SUCCEEDED: ['teal', 'Refunded'],
  FAILED: ['red', 'Failed'],
};

export function RefundStatusBadge({ refund }: { refund: Refund }) {
  const { status, provider, lastError, completedAt } = refund;
  const [color, label] = REFUND_STATUS_LABELS[status];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      <Text size="xs" c="dimmed" mt={4} maw={280} style={{ overflowWrap: 'anywhere' }}>
        {status === 'SUCCEEDED' && completedAt && <DateTime at={completedAt} format="since" />}
        {status === 'PENDING' &&
          (provider === 'ON_SITE'
            ? 'Pay the buyer, then settle the refund'
            : (lastError ?? 'The payment provider is processing it'))}
        {status === 'FAILED' && (lastError ?? 'The payment provider gave no reason')}
      </Text>
    </>
  );
}

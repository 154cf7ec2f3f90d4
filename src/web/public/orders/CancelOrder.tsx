import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { getText } from '../../language/page-texts.ts';
import { useCancelOrder } from './mutations.ts';
import {
  formatCountedAdmissions,
  formatOrderTime,
  type OrderAdmission,
  toValidAdmissions,
} from './order-details.ts';
import type { PortalOrder } from './queries.ts';

interface Props {
  order: PortalOrder;
  secret: string;
  onClose: () => void;
}

export function CancelOrder({ order, secret, onClose }: Props) {
  const cancel = useCancelOrder(secret, () => {
    notifySuccess(getText('order.cancelDone'));
    onClose();
  });
  const isHold = order.status === 'PENDING';
  const valid = toValidAdmissions(order);
  const [only] = valid.length === 1 ? valid : [];
  // With several admissions, buyers select what to cancel themselves.
  const [ids, setIds] = useState<string[]>(only ? [only.id] : []);
  const selected = valid.filter(({ id }) => ids.includes(id));
  const isAll = selected.length === valid.length;
  const refund = calculateRefund(order, selected);
  return (
    <Stack gap="sm">
      <FormError error={cancel.error} />
      {isHold ? (
        <Text size="sm">{getText('order.notCharged')}</Text>
      ) : (
        <>
          {only ? (
            <Text size="sm">
              {only.holder.name}, {only.name}
              <br />
              <AdmissionPrice admission={only} />
            </Text>
          ) : (
            <AdmissionPicker valid={valid} ids={ids} onChange={setIds} />
          )}
          <Text size="sm" role="status">
            {selected.length === 0
              ? getText('order.selectCancel')
              : formatRefundNotice(order, refund)}
          </Text>
        </>
      )}
      <DialogActions
        label={
          isHold ? getText('order.cancelOrder') : formatCancelLabel(order, selected.length, refund)
        }
        cancelLabel={isHold ? getText('order.keepOrder') : getText('order.keep')}
        color="red"
        disabled={!isHold && selected.length === 0}
        pending={cancel.isPending}
        onCancel={onClose}
        onConfirm={() => cancel.mutate(isAll ? null : ids)}
      />
    </Stack>
  );
}

interface AdmissionPickerProps {
  valid: OrderAdmission[];
  ids: string[];
  onChange: (ids: string[]) => void;
}

const AdmissionPicker = ({ valid, ids, onChange }: AdmissionPickerProps) => (
  <>
    <Checkbox.Group label={getText('order.itemsToCancel')} value={ids} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {valid.map((admission) => (
          <Checkbox
            key={admission.id}
            value={admission.id}
            label={`${admission.holder.name}, ${admission.name}`}
            description={<AdmissionPrice admission={admission} />}
          />
        ))}
      </Stack>
    </Checkbox.Group>
    <Button
      variant="subtle"
      size="compact-sm"
      style={{ alignSelf: 'flex-start' }}
      disabled={ids.length === valid.length}
      onClick={() => onChange(valid.map(({ id }) => id))}
    >
      {getText('order.selectAll')}
    </Button>
  </>
);

const AdmissionPrice = ({ admission: { code, price } }: { admission: OrderAdmission }) => (
  <>
    <code>{code}</code>
    {price.amount > 0 && `, ${formatMoney(price)}`}
  </>
);

/** Returns the refund in minor units. An amount that staff refunded before is not refunded again. */
function calculateRefund(
  { paid, refundedAmount }: PortalOrder,
  selected: OrderAdmission[],
): number {
  const price = selected.reduce((sum, { price }) => sum + price.amount, 0);
  return Math.max(0, Math.min(price, paid.amount - refundedAmount.amount));
}

function formatCancelLabel(order: PortalOrder, count: number, amount: number): string {
  if (count === 0) return getText('order.cancelAction');
  const items = formatCountedAdmissions(count, order);
  if (amount === 0) return getText('order.cancelItems', { items });
  const money = formatMoney({ amount, currency: order.paid.currency });
  return getText('order.cancelAndRefund', { items, money });
}

/** Says how much is refunded, and until when. */
function formatRefundNotice(order: PortalOrder, amount: number): string {
  const { paid, allowedActions } = order;
  if (amount === 0) return getText('order.noRefund');
  const money = formatMoney({ amount, currency: paid.currency });
  if (allowedActions.refundUntil === null) return getText('order.refund', { money });
  const time = formatOrderTime(order, allowedActions.refundUntil);
  return getText('order.refundUntil', { money, time });
}

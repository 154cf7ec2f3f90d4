import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
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
    notifySuccess('Cancelled.');
    onClose();
  });
  const isHold = order.status === 'PENDING';
  const valid = toValidAdmissions(order);
  const [only] = valid.length === 1 ? valid : [];
  // Where there is a choice, whoever cancels makes it: nothing is chosen for them.
  const [ids, setIds] = useState<string[]>(only ? [only.id] : []);
  const chosen = valid.filter(({ id }) => ids.includes(id));
  const isAll = chosen.length === valid.length;
  const back = calculateRefund(order, chosen);
  return (
    <Stack gap="sm">
      <FormError error={cancel.error} />
      {isHold ? (
        <Text size="sm">Nothing was paid. What is kept for you becomes free for others.</Text>
      ) : (
        <>
          {only ? (
            <Text size="sm">
              {only.holder.name}, {only.name}
              <br />
              <AdmissionPrice one={only} />
            </Text>
          ) : (
            <AdmissionPicker valid={valid} ids={ids} onChange={setIds} />
          )}
          <Text size="sm" role="status">
            {chosen.length === 0
              ? 'Choose what you want to cancel.'
              : formatRefundNotice(order, back)}
          </Text>
        </>
      )}
      <DialogActions
        label={isHold ? 'Give it up' : formatCancelLabel(order, chosen.length, back)}
        cancelLabel="Keep"
        color="red"
        disabled={!isHold && chosen.length === 0}
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
    <Checkbox.Group label="What you cancel" value={ids} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {valid.map((one) => (
          <Checkbox
            key={one.id}
            value={one.id}
            label={`${one.holder.name}, ${one.name}`}
            description={<AdmissionPrice one={one} />}
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
      Select all
    </Button>
  </>
);

const AdmissionPrice = ({ one: { code, price } }: { one: OrderAdmission }) => (
  <>
    <code>{code}</code>
    {price.amount > 0 && `, ${formatMoney(price)}`}
  </>
);

/** What goes back, in minor units. What staff gave back already does not go back twice. */
function calculateRefund({ paid, refundedAmount }: PortalOrder, chosen: OrderAdmission[]): number {
  const price = chosen.reduce((sum, { price }) => sum + price.amount, 0);
  return Math.max(0, Math.min(price, paid.amount - refundedAmount.amount));
}

function formatCancelLabel(order: PortalOrder, count: number, amount: number): string {
  if (count === 0) return 'Cancel';
  const cancelling = `Cancel ${formatCountedAdmissions(count, order)}`;
  const { currency } = order.paid;
  return amount === 0 ? cancelling : `${cancelling}, get back ${formatMoney({ amount, currency })}`;
}

/** How much goes back, and until when. */
function formatRefundNotice(order: PortalOrder, amount: number): string {
  const { refundUntil } = order.allowedActions;
  if (amount === 0) return 'Nothing was paid for it, so nothing goes back.';
  const money = formatMoney({ amount, currency: order.paid.currency });
  if (refundUntil === null) return `You get back ${money}.`;
  return `You get back ${money}. That goes until ${formatOrderTime(order, refundUntil)}.`;
}

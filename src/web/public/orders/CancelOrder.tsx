import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { type Admission, countedWords, validOf } from './admission.ts';
import { useCancel } from './changes.ts';
import { momentFor } from './hold.ts';
import type { Order } from './queries.ts';

interface Props {
  order: Order;
  secret: string;
  onClose: () => void;
}

export function CancelOrder({ order, secret, onClose }: Props) {
  const cancel = useCancel(secret, () => {
    notifyDone('Cancelled.');
    onClose();
  });
  const isHold = order.status === 'PENDING';
  const valid = validOf(order);
  const [only] = valid.length === 1 ? valid : [];
  // Where there is a choice, whoever cancels makes it: nothing is chosen for them.
  const [ids, setIds] = useState<string[]>(only ? [only.id] : []);
  const chosen = valid.filter(({ id }) => ids.includes(id));
  const isAll = chosen.length === valid.length;
  const back = backOf(order, chosen);
  return (
    <Stack gap="sm">
      <FormFailure error={cancel.error} />
      {isHold ? (
        <Text size="sm">Nothing was paid. What is kept for you becomes free for others.</Text>
      ) : (
        <>
          {only ? (
            <Text size="sm">
              {only.holder.name}, {only.name}
              <br />
              <Details one={only} />
            </Text>
          ) : (
            <Choice valid={valid} ids={ids} onChange={setIds} />
          )}
          <Text size="sm" role="status">
            {chosen.length === 0 ? 'Choose what you want to cancel.' : backWords(order, back)}
          </Text>
        </>
      )}
      <DialogActions
        label={isHold ? 'Give it up' : submitWords(order, chosen.length, back)}
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

interface ChoiceProps {
  valid: Admission[];
  ids: string[];
  onChange: (ids: string[]) => void;
}

const Choice = ({ valid, ids, onChange }: ChoiceProps) => (
  <>
    <Checkbox.Group label="What you cancel" value={ids} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {valid.map((one) => (
          <Checkbox
            key={one.id}
            value={one.id}
            label={`${one.holder.name}, ${one.name}`}
            description={<Details one={one} />}
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

const Details = ({ one: { code, price } }: { one: Admission }) => (
  <>
    <code>{code}</code>
    {price.amount > 0 && `, ${moneyWords(price)}`}
  </>
);

/** What goes back, in minor units. What staff gave back already does not go back twice. */
function backOf({ paid, refundedAmount }: Order, chosen: Admission[]): number {
  const price = chosen.reduce((sum, { price }) => sum + price.amount, 0);
  return Math.max(0, Math.min(price, paid.amount - refundedAmount.amount));
}

function submitWords(order: Order, count: number, amount: number): string {
  if (count === 0) return 'Cancel';
  const cancelling = `Cancel ${countedWords(count, order)}`;
  const { currency } = order.paid;
  return amount === 0 ? cancelling : `${cancelling}, get back ${moneyWords({ amount, currency })}`;
}

/** How much goes back, and until when. */
function backWords(order: Order, amount: number): string {
  const { paid, may } = order;
  if (amount === 0) return 'Nothing was paid for it, so nothing goes back.';
  const money = moneyWords({ amount, currency: paid.currency });
  if (may.refundUntil === null) return `You get back ${money}.`;
  return `You get back ${money}. That goes until ${momentFor(order, may.refundUntil)}.`;
}

import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { exactMomentIn } from '../../ui/shown-twice.ts';
import { momentOf } from '../../ui/time-words.ts';
import { countWords, validOf } from './admission.ts';
import { useCancel } from './changes.ts';
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
  const [ids, setIds] = useState(() => valid.map(({ id }) => id));
  const chosen = valid.filter(({ id }) => ids.includes(id));
  const isAll = chosen.length === valid.length;
  return (
    <Stack gap="sm">
      <FormFailure error={cancel.error} />
      {isHold ? (
        <Text size="sm">Nothing was paid. What is kept for you becomes free for others.</Text>
      ) : (
        <>
          {valid.length > 1 && (
            <Checkbox.Group label="What you cancel" value={ids} onChange={setIds}>
              <Stack gap="xs" mt="xs">
                {valid.map(({ id, name, holder, price }) => (
                  <Checkbox
                    key={id}
                    value={id}
                    label={`${holder.name}, ${name}`}
                    description={price.amount > 0 ? moneyWords(price) : undefined}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Text size="sm" role="status">
            {backWords(
              order,
              chosen.reduce((sum, { price }) => sum + price.amount, 0),
            )}
          </Text>
        </>
      )}
      <DialogActions
        label={isHold ? 'Give it up' : `Cancel ${countWords(chosen.length, order)}`}
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

/** How much goes back, and until when. What staff gave back already does not go back twice. */
function backWords({ paid, refundedAmount, may, event }: Order, price: number): string {
  const amount = Math.min(price, paid.amount - refundedAmount.amount);
  if (amount <= 0) return 'Nothing was paid for it, so nothing goes back.';
  const money = moneyWords({ amount, currency: paid.currency });
  if (may.refundUntil === null) return `You get back ${money}.`;
  const until = event
    ? exactMomentIn(may.refundUntil, event.timeZone)
    : momentOf(new Date(may.refundUntil));
  return `You get back ${money}. That goes until ${until}.`;
}

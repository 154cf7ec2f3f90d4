import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatTimeZone } from '../../../core/time/format.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  parseLocalDateTime,
  toLocalDateTime,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { type OrderDetails, useExtendHold } from './queries.ts';

/** Chooses until when an order is held that is paid at the front desk. */
export function ExtendHoldForm({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const timeZone = order.location?.timeZone ?? 'UTC';
  const heldUntil = order.confirmedHoldUntil ?? order.expiresAt;
  const [until, setUntil] = useState(toLocalDateTime(heldUntil, timeZone));
  const [problem, setProblem] = useState<string | null>(null);
  const extend = useExtendHold(() => {
    notifySuccess(`Order ${order.code} is held longer.`);
    onClose();
  });
  return (
    <DialogForm
      label="Hold longer"
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        const at = parseLocalDateTime(until, timeZone);
        setProblem(validateLocalDateTime(until, timeZone) ?? (at === null ? 'Enter a time' : null));
        if (at !== null) extend.mutate({ id: order.id, until: at });
      }}
      mutation={extend}
    >
      <Text size="sm">
        The order is held until then, at most until the event starts or the location closes on the
        day of the pass. {order.buyer.name} gets no email.
      </Text>
      <TextInput
        type="datetime-local"
        label={`Hold until (${formatTimeZone(timeZone)})`}
        value={until}
        error={problem}
        onChange={({ currentTarget: { value } }) => setUntil(value)}
      />
    </DialogForm>
  );
}

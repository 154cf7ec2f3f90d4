import { List, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useCancelEvent } from './changes.ts';
import type { EventDetails } from './event-queries.ts';
import { ticketsWords } from './event-words.ts';

/** Says what becomes of the tickets, the money and those who wait. */
export function CancelEvent({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const cancel = useCancelEvent(() => {
    notifyDone(`${event.title} is cancelled.`);
    onClose();
  });
  const taken = event.taken ?? 0;
  return (
    <Confirm
      label="Cancel event"
      cancelLabel="Keep it"
      onCancel={onClose}
      onConfirm={() => cancel.mutate({ id: event.id, reason: reason.trim() || null })}
      pending={cancel.isPending}
      error={cancel.error}
    >
      {taken === 0 ? (
        'No tickets are sold or held. The event stays to be seen, as cancelled. This cannot be taken back.'
      ) : (
        <List size="sm" spacing={4}>
          <List.Item>
            <b>{ticketsWords(taken)}</b> {taken === 1 ? 'is' : 'are'} sold or held: all of them end.
          </List.Item>
          <List.Item>
            What was paid goes back in full. What was paid at the desk waits under Refunds until you
            hand it out.
          </List.Item>
          <List.Item>Every buyer, and everybody who waits for tickets, is told by mail.</List.Item>
          <List.Item>This cannot be taken back.</List.Item>
        </List>
      )}
      <TextInput
        mt="sm"
        label="Reason (optional)"
        description="Told to everybody who sees the event, and in the mails"
        placeholder="The speaker is ill"
        maxLength={500}
        data-autofocus
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </Confirm>
  );
}

import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Confirmation, Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { formatTicketCount } from './event-labels.ts';
import { useCancelEvent, useDeleteEvent, usePublishEvent } from './mutations.ts';
import { listPublishIssues } from './PublishChecklist.tsx';
import type { EventDetails } from './queries.ts';

/** A draft is published or deleted, a published event called off. */
export function EventActions({ event }: { event: EventDetails }) {
  const publishing = useDialog();
  const deleting = useDialog();
  const cancelling = useDialog();
  const navigate = useNavigate();
  return (
    <Group gap="sm">
      {event.status === 'DRAFT' ? (
        <>
          <Button variant="subtle" color="red" onClick={() => deleting.open(true)}>
            Delete draft
          </Button>
          <Button onClick={() => publishing.open(true)}>Publish</Button>
        </>
      ) : (
        <Button variant="light" color="red" onClick={() => cancelling.open(true)}>
          Cancel event
        </Button>
      )}
      <Dialog state={publishing} title="Publish this event?">
        {() => <PublishEventConfirmation event={event} onClose={publishing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this draft?">
        {() => (
          <DeleteDraftConfirmation
            event={event}
            onDeleted={() => navigate('/events?view=drafts')}
            onClose={deleting.close}
          />
        )}
      </Dialog>
      <Dialog state={cancelling} title="Cancel this event?">
        {() => <CancelEventConfirmation event={event} onClose={cancelling.close} />}
      </Dialog>
    </Group>
  );
}

function PublishEventConfirmation({
  event,
  onClose,
}: {
  event: EventDetails;
  onClose: () => void;
}) {
  const publish = usePublishEvent(() => {
    notifySuccess(`${event.title} is published.`);
    onClose();
  });
  const isForAll = event.visibility === 'PUBLIC';
  const sells = event.ticketTypes.some(({ active }) => active);
  return (
    <>
      <Stack gap="sm">
        <FormError error={publish.error} />
        <Text size="sm">
          {isForAll ? 'Everybody' : 'Every member'} sees it then
          {sells
            ? ', and can order its tickets when their sale is on.'
            : '. It sells no tickets: it is an announcement.'}
          {event.resource && ` It has ${event.resource.name} for itself.`}
        </Text>
        <Text size="sm">
          A published event does not become a draft again, but it can be changed and cancelled.
        </Text>
        {listPublishIssues(event).some(({ isBlocking }) => isBlocking) && (
          <Text size="sm" c="var(--foyer-warning)">
            It is over already: move it to a time to come first.
          </Text>
        )}
      </Stack>
      <DialogActions
        label="Publish event"
        cancelLabel="Not yet"
        onCancel={onClose}
        onConfirm={() => publish.mutate(event.id)}
        pending={publish.isPending}
      />
    </>
  );
}

/** Says what becomes of the tickets, the money and those who wait. */
function CancelEventConfirmation({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const cancel = useCancelEvent(() => {
    notifySuccess(`${event.title} is cancelled.`);
    onClose();
  });
  const taken = event.taken ?? 0;
  return (
    <Confirmation
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
            <b>{formatTicketCount(taken)}</b> {taken === 1 ? 'is' : 'are'} sold or held: all of them
            end.
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
    </Confirmation>
  );
}

interface Props {
  event: EventDetails;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDraftConfirmation({ event, onDeleted, onClose }: Props) {
  const remove = useDeleteEvent(() => {
    notifySuccess(`The draft ${event.title} is deleted.`);
    onClose();
    onDeleted();
  });
  return (
    <Confirmation
      label="Delete draft"
      onCancel={onClose}
      onConfirm={() => remove.mutate(event.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{event.title}</b> was never published. It goes with its ticket types and discount codes,
      and cannot be brought back.
    </Confirmation>
  );
}

import { Button, Group, List, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CancelEventMutationVariables } from '../../gql/graphql.ts';
import { formatTicketCount } from './event-form-values.ts';
import type { EventDetails } from './event-page-query.ts';
import { useCancelEvent, useDeleteEvent, usePublishEvent } from './mutations.ts';

/** Publishes or deletes a draft, or cancels an event that cannot be deleted. */
export function EventActions({ event }: { event: EventDetails }) {
  const publishing = useDialog();
  const deleting = useDialog();
  const cancelling = useDialog();
  const navigate = useNavigate();
  const { allowedActions: allowed } = event;
  return (
    <Group gap="sm">
      {allowed.delete && (
        <Button variant="subtle" color="red" onClick={() => deleting.open(true)}>
          Delete draft
        </Button>
      )}
      {allowed.publish && <Button onClick={() => publishing.open(true)}>Publish</Button>}
      {allowed.cancel && !allowed.delete && (
        <Button variant="light" color="red" onClick={() => cancelling.open(true)}>
          Cancel event
        </Button>
      )}
      <Dialog state={publishing} title="Publish event?">
        {() => <PublishEventConfirmation event={event} onClose={publishing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete draft?">
        {() => (
          <DeleteDraftConfirmation
            event={event}
            onDeleted={() => navigate('/events?view=drafts')}
            onClose={deleting.close}
          />
        )}
      </Dialog>
      <Dialog state={cancelling} title="Cancel event?">
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
    notifySuccess(`${event.title} published.`);
    onClose();
  });
  return (
    <Confirmation
      label="Publish event"
      cancelLabel="Not yet"
      isDestructive={false}
      onCancel={onClose}
      onConfirm={() => publish.mutate(event.id)}
      pending={publish.isPending}
      error={publish.error}
    >
      {event.visibility === 'PUBLIC' ? 'Everyone' : 'Every member'} will see this event
      {event.ticketTypes.some(({ active }) => active)
        ? ' and can order tickets during the sale period.'
        : '. It has no tickets to order.'}
      {event.resource && ` It reserves ${event.resource.name}.`}
      <Text size="sm" mt="sm">
        You can edit or cancel a published event, but not turn it back into a draft.
      </Text>
    </Confirmation>
  );
}

const CANCEL_VIEWS: FieldViews<Pick<CancelEventMutationVariables, 'reason'>> = {
  reason: {
    label: 'Reason',
    description: 'Shown on the event page and in emails',
    placeholder: 'The speaker is ill',
  },
};

/** Explains what happens to tickets, payments and the waiting list. */
function CancelEventConfirmation({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const form = useInputForm('CancelEventInput', CANCEL_VIEWS);
  const cancel = useCancelEvent(() => {
    notifySuccess(`${event.title} cancelled.`);
    onClose();
  });
  const reservedCount = event.reservedCount ?? 0;
  return (
    <Confirmation
      label="Cancel event"
      cancelLabel="Keep event"
      onCancel={onClose}
      onConfirm={() => cancel.mutate({ id: event.id, ...form.toInput(form.values) })}
      pending={cancel.isPending}
      error={cancel.error}
    >
      {reservedCount === 0 ? (
        'No tickets are sold or on hold. The event stays visible as cancelled. This cannot be undone.'
      ) : (
        <List size="sm" spacing={4}>
          <List.Item>
            <b>{formatTicketCount(reservedCount)}</b> {reservedCount === 1 ? 'is' : 'are'} sold or
            on hold. All tickets are cancelled.
          </List.Item>
          <List.Item>
            Buyers get a full refund. Pay back on-site payments yourself; they are listed under
            Refunds.
          </List.Item>
          <List.Item>Buyers and people on the waiting list are notified by email.</List.Item>
          <List.Item>This cannot be undone.</List.Item>
        </List>
      )}
      <InputField form={form} name="reason" mt="sm" isFirst />
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
    notifySuccess(`Draft ${event.title} deleted.`);
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
      <b>{event.title}</b> was never published. Its ticket types and discount codes are deleted too.
      This cannot be undone.
    </Confirmation>
  );
}

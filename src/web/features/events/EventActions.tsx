import { Button, Group } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CancelEvent } from './CancelEvent.tsx';
import { DeleteDraft } from './DeleteDraft.tsx';
import type { EventDetails } from './event-queries.ts';
import { PublishEvent } from './PublishEvent.tsx';

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
        {() => <PublishEvent event={event} onClose={publishing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this draft?">
        {() => (
          <DeleteDraft
            event={event}
            onDeleted={() => navigate('/events?view=drafts')}
            onClose={deleting.close}
          />
        )}
      </Dialog>
      <Dialog state={cancelling} title="Cancel this event?">
        {() => <CancelEvent event={event} onClose={cancelling.close} />}
      </Dialog>
    </Group>
  );
}

import { Stack, Text } from '@mantine/core';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { usePublishEvent } from './changes.ts';
import type { EventDetails } from './event-queries.ts';
import { missingOf } from './missing.ts';

export function PublishEvent({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const publish = usePublishEvent(() => {
    notifyDone(`${event.title} is published.`);
    onClose();
  });
  const isForAll = event.visibility === 'PUBLIC';
  const sells = event.ticketTypes.some(({ active }) => active);
  return (
    <>
      <Stack gap="sm">
        <FormFailure error={publish.error} />
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
        {missingOf(event).some(({ isInTheWay }) => isInTheWay) && (
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

import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useDeleteEvent } from './changes.ts';
import type { EventDetails } from './event-queries.ts';

interface Props {
  event: EventDetails;
  onDeleted: () => void;
  onClose: () => void;
}

export function DeleteDraft({ event, onDeleted, onClose }: Props) {
  const remove = useDeleteEvent(() => {
    notifyDone(`The draft ${event.title} is deleted.`);
    onClose();
    onDeleted();
  });
  return (
    <Confirm
      label="Delete draft"
      onCancel={onClose}
      onConfirm={() => remove.mutate(event.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{event.title}</b> was never published. It goes with its ticket types and discount codes,
      and cannot be brought back.
    </Confirm>
  );
}

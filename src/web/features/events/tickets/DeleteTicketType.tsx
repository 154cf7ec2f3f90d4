import { Confirm } from '../../../ui/Confirm.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import type { TicketType } from '../event-queries.ts';
import { useDeleteTicketType } from './queries.ts';

interface Props {
  type: TicketType;
  onClose: () => void;
}

export function DeleteTicketType({ type: { id, name }, onClose }: Props) {
  const remove = useDeleteTicketType(() => {
    notifyDone(`${name} is deleted.`);
    onClose();
  });
  return (
    <Confirm
      label="Delete ticket type"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{name}</b> cannot be brought back. If tickets of it were ever ordered it stays, and you
      stop its sale instead.
    </Confirm>
  );
}

import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type DayPassType, useDeleteDayPassType } from './queries.ts';

interface Props {
  type: DayPassType;
  onClose: () => void;
}

export function DeleteDayPassType({ type: { id, name }, onClose }: Props) {
  const remove = useDeleteDayPassType(() => {
    notifyDone(`${name} is deleted.`);
    onClose();
  });
  return (
    <Confirm
      label="Delete day pass"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{name}</b> cannot be brought back. If passes of it were ever ordered it stays: edit it, and
      switch off that it is offered.
    </Confirm>
  );
}

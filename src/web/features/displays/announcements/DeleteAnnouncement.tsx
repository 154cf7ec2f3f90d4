import { Confirm } from '../../../ui/Confirm.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { type Announcement, useDeleteAnnouncement } from './queries.ts';

interface Props {
  announcement: Announcement;
  onClose: () => void;
}

export function DeleteAnnouncement({ announcement: { id, title }, onClose }: Props) {
  const remove = useDeleteAnnouncement(() => {
    notifyDone('The announcement is deleted.');
    onClose();
  });
  return (
    <Confirm
      label="Delete announcement"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      <b>{title}</b> goes from every screen and cannot be brought back.
    </Confirm>
  );
}

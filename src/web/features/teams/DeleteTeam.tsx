import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type Team, useDeleteTeam } from './queries.ts';

export function DeleteTeam({ team, onClose }: { team: Team; onClose: () => void }) {
  const remove = useDeleteTeam(() => {
    notifyDone(`${team.name} is deleted.`);
    onClose();
  });
  return (
    <Confirm
      label="Delete team"
      onCancel={onClose}
      onConfirm={() => remove.mutate(team.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      The members of <b>{team.name}</b> stay, without a team.
    </Confirm>
  );
}

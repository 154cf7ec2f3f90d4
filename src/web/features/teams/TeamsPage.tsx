import { Button, Stack } from '@mantine/core';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPeople, IconPlus } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { DeleteTeam } from './DeleteTeam.tsx';
import { type Team, useTeams } from './queries.ts';
import { TeamCard } from './TeamCard.tsx';
import { TeamForm } from './TeamForm.tsx';

export function TeamsPage() {
  const mayChange = may(useStaff(), 'members:write');
  const teams = useTeams();
  const creating = useDialog();
  const renaming = useDialog<Team>();
  const deleting = useDialog<Team>();
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
      Create a team
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Teams"
        description="Members who share a membership: its hours are used up together."
        action={teams.data?.length ? add : null}
      />
      <Loaded query={teams}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconPeople} title="No teams yet" action={add}>
              Create a team for a company or a group, then put its members in it on their pages.
            </EmptyState>
          ) : (
            <Stack>
              {rows.map((team) => (
                <TeamCard
                  key={team.id}
                  team={team}
                  mayChange={mayChange}
                  onRename={() => renaming.open(team)}
                  onDelete={() => deleting.open(team)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Dialog state={creating} title="Create a team">
        {() => <TeamForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={renaming} title="Rename this team">
        {(team) => <TeamForm team={team} onClose={renaming.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete this team?">
        {(team) => <DeleteTeam team={team} onClose={deleting.close} />}
      </Dialog>
    </>
  );
}

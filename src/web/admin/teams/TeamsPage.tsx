import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { useNow } from '../../components/browser-time.tsx';
import { RowAction } from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { CreateTeamInput } from '../../gql/graphql.ts';
import {
  BILLING_VIEWS,
  BillingAddress,
  BillingFields,
  hasAddress,
} from '../customers/BillingFields.tsx';
import { EditForm } from '../EditForm.tsx';
import { MembershipList } from '../plans/MembershipList.tsx';
import { type Team, useDeleteTeam, useSaveTeam, useTeams } from './queries.ts';

export function TeamsPage() {
  const canChange = can(useStaffViewer(), 'members:write');
  const teams = useTeams();
  const creating = useDialog();
  const editing = useDialog<Team>();
  const deleting = useDialog<Team>();
  const add = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Create a team
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Teams"
        description="Members who share a membership and its hours."
        action={teams.data?.length ? add : null}
      />
      <QueryBoundary query={teams}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconUsers} title="No teams yet" action={add}>
              Create a team for a company or group, then add members on their pages.
            </EmptyState>
          ) : (
            <Stack>
              {rows.map((team) => (
                <TeamCard
                  key={team.id}
                  team={team}
                  canChange={canChange}
                  onEdit={() => editing.open(team)}
                  onDelete={() => deleting.open(team)}
                />
              ))}
            </Stack>
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title="Create a team">
        {() => <TeamForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit team">
        {(team) => <TeamForm team={team} onClose={editing.close} />}
      </Dialog>
      <Dialog state={deleting} title="Delete team?">
        {(team) => <DeleteTeamConfirmation team={team} onClose={deleting.close} />}
      </Dialog>
    </>
  );
}

interface TeamCardProps {
  team: Team;
  canChange: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function TeamCard({ team, canChange, onEdit, onDelete }: TeamCardProps) {
  const now = useNow(60);
  const { id, name, members, memberships } = team;
  return (
    <Paper component="article" aria-label={name} withBorder radius="md" p="md">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <TeamMembers members={members} />
          {hasAddress(team) && <BillingAddress details={team} />}
          {team.customerNumber && <Text size="sm">Customer number {team.customerNumber}</Text>}
        </div>
        {canChange && (
          <Group gap="xs">
            <RowAction label="Edit" row={name} onClick={onEdit} />
            <RowAction label="Delete" row={name} isDestructive onClick={onDelete} />
          </Group>
        )}
      </Group>
      <MembershipList
        holder={{ teamId: id }}
        name={name}
        memberships={memberships.nodes}
        today={toLocalDate(now, 'UTC')}
        canChange={canChange}
      />
    </Paper>
  );
}

const TeamMembers = ({ members }: Pick<Team, 'members'>) =>
  members.nodes.length === 0 ? (
    <Text size="sm" c="dimmed">
      No members yet. Select this team on a member’s page.
    </Text>
  ) : (
    <Group gap="xs">
      {members.nodes.map(({ id, name }) => (
        <Anchor key={id} component={Link} to={`/members/${id}`} size="sm">
          {name}
        </Anchor>
      ))}
      {members.totalCount.value > members.nodes.length && (
        <Text size="sm">and {members.totalCount.value - members.nodes.length} more</Text>
      )}
    </Group>
  );

const VIEWS: FieldViews<CreateTeamInput> = {
  name: { label: 'Name', placeholder: 'Studio Nord', missing: 'Enter a name' },
  ...BILLING_VIEWS,
};

interface TeamFormProps {
  /** The team to edit. Omit it to create one. */
  team?: Team;
  onClose: () => void;
}

function TeamForm({ team, onClose }: TeamFormProps) {
  const save = useSaveTeam(onClose);
  const form = useInputForm(team ? 'UpdateTeamInput' : 'CreateTeamInput', VIEWS, {
    row: team ?? {},
  });
  return (
    <EditForm
      row={team}
      form={form}
      label={team ? 'Save team' : 'Create team'}
      onSubmit={form.onSubmit((values) =>
        save.mutate(
          team
            ? { update: { id: team.id, ...form.toChanges(values) } }
            : { create: form.toInput(values) },
        ),
      )}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <BillingFields form={form} />
    </EditForm>
  );
}

function DeleteTeamConfirmation({ team, onClose }: { team: Team; onClose: () => void }) {
  const remove = useDeleteTeam(() => {
    notifySuccess(`${team.name} deleted.`);
    onClose();
  });
  return (
    <Confirmation
      label="Delete team"
      onCancel={onClose}
      onConfirm={() => remove.mutate(team.id)}
      pending={remove.isPending}
      error={remove.error}
    >
      The members of <b>{team.name}</b> stay members without a team.
    </Confirmation>
  );
}

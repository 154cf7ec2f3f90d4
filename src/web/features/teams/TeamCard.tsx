import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useNow } from '../../ui/use-now.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { Memberships } from '../plans/Memberships.tsx';
import type { Team } from './queries.ts';

interface Props {
  team: Team;
  mayChange: boolean;
  onRename: () => void;
  onDelete: () => void;
}

export function TeamCard({ team, mayChange, onRename, onDelete }: Props) {
  const now = useNow(60);
  const { id, name, members, memberships } = team;
  return (
    <Paper component="article" aria-label={name} withBorder radius="md" p="md">
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Members members={members} />
        </div>
        {mayChange && (
          <Group gap="xs">
            <Button size="xs" variant="default" aria-label={`Rename ${name}`} onClick={onRename}>
              Rename
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={`Delete ${name}`}
              onClick={onDelete}
            >
              Delete
            </Button>
          </Group>
        )}
      </Group>
      <Memberships
        holder={{ teamId: id }}
        name={name}
        memberships={memberships}
        today={dayAt(now, 'UTC')}
        mayChange={mayChange}
      />
    </Paper>
  );
}

const Members = ({ members }: Pick<Team, 'members'>) =>
  members.length === 0 ? (
    <Text size="sm" c="dimmed">
      Nobody is in it yet. Choose this team on a member’s page.
    </Text>
  ) : (
    <Group gap="xs">
      {members.map(({ id, name }) => (
        <Anchor key={id} component={Link} to={`/members/${id}`} size="sm">
          {name}
        </Anchor>
      ))}
    </Group>
  );

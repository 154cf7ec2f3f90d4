import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { statusOf } from './member-status.ts';
import type { Member } from './queries.ts';

const columns: Column<Member>[] = [
  { header: 'Name', cell: (member) => <Name member={member} /> },
  { header: 'Status', cell: (member) => <MemberState member={member} /> },
  {
    header: 'E-mail',
    cell: ({ email }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    ),
  },
  { header: 'Team', cell: ({ team }) => <Text size="sm">{team?.name ?? '–'}</Text> },
];

export const MembersTable = ({ members }: { members: Member[] }) => (
  <DataTable
    label="Members"
    columns={columns}
    rows={members}
    keyOf={({ id }) => id}
    isEnded={({ status }) => status === 'FORMER'}
  />
);

export function MemberState({ member }: { member: Pick<Member, 'status'> }) {
  const { color, label } = statusOf(member.status);
  return <StateBadge color={color}>{label}</StateBadge>;
}

const Name = ({ member: { id, name, company } }: { member: Member }) => (
  <>
    <Anchor component={Link} to={`/members/${id}`} fw={600} size="sm">
      {name}
    </Anchor>
    {company && (
      <Text size="xs" c="dimmed">
        {company}
      </Text>
    )}
  </>
);

import { Text } from '@mantine/core';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { MemberStatus } from '../../gql/graphql.ts';
import type { ListedMember, Member } from './queries.ts';

const columns: Column<ListedMember>[] = [
  {
    header: 'Name',
    cell: ({ id, name, company }) => (
      <NameCell name={name} to={`/members/${id}`} details={company} />
    ),
  },
  { header: 'Status', cell: (member) => <MemberStatusBadge member={member} /> },
  {
    header: 'Plan',
    cell: ({ currentMembership }) => <Text size="sm">{currentMembership?.plan.name ?? '–'}</Text>,
  },
  {
    header: 'Email',
    cell: ({ email }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    ),
  },
  { header: 'Team', cell: ({ team }) => <Text size="sm">{team?.name ?? '–'}</Text> },
];

export const MembersTable = ({ members }: { members: ListedMember[] }) => (
  <DataTable
    label="Members"
    columns={columns}
    rows={members}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'FORMER'}
  />
);

export function MemberStatusBadge({ member }: { member: Pick<Member, 'status'> }) {
  const { color, label } = toMemberStatusLabel(member.status);
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

export const MEMBER_STATUS_OPTIONS: {
  value: MemberStatus;
  label: string;
  color: string;
  description: string;
}[] = [
  { value: 'ACTIVE', label: 'Active', color: 'teal', description: 'Can book and sign in' },
  { value: 'PAUSED', label: 'Paused', color: 'yellow', description: 'Can sign in, but not book' },
  { value: 'FORMER', label: 'Former', color: 'gray', description: 'Can no longer sign in' },
];

const toMemberStatusLabel = (status: MemberStatus) =>
  MEMBER_STATUS_OPTIONS.find(({ value }) => value === status) ?? {
    label: status,
    color: 'gray',
    description: '',
  };

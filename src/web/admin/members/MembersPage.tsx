import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import type { MemberStatus } from '../../gql/graphql.ts';
import { TeamSelect } from '../teams/TeamSelect.tsx';
import { MemberForm } from './MemberForm.tsx';
import { MEMBER_STATUS_OPTIONS, MembersTable } from './MembersTable.tsx';
import { useMembers } from './queries.ts';

const ANY_STATUS_OPTION = { value: '', label: 'Any' };

export function MembersPage() {
  const canChange = can(useStaffViewer(), 'members:write');
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), 250);
  const [status, setStatus] = useState<MemberStatus | null>(null);
  const [teamId, setTeamId] = useState<string | null>(null);
  const pages = useMembers({ q: q || null, status, teamId });
  const isFiltered = Boolean(q || status || teamId);
  const creating = useDialog();
  const navigate = useNavigate();
  const add = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Add a member
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Members"
        description="The people in your community, their plans and their bookings."
        action={add}
      />
      <Group align="flex-end" mb="md" gap="sm">
        <TextInput
          type="search"
          label="Search"
          placeholder="Name or email"
          flex="1 1 200px"
          maw={320}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <Select
          label="Status"
          w={120}
          data={[
            ANY_STATUS_OPTION,
            ...MEMBER_STATUS_OPTIONS.map(({ value, label }) => ({ value, label })),
          ]}
          value={status ?? ''}
          onChange={(value) => setStatus((value || null) as MemberStatus | null)}
          allowDeselect={false}
        />
        <TeamSelect value={teamId} onChange={setTeamId} placeholder="Any" w={180} />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          isFiltered ? (
            <EmptyState icon={IconUser} title="No matching members">
              Try another search, status or team.
            </EmptyState>
          ) : (
            <EmptyState icon={IconUser} title="No members yet">
              Add the first one. Members sign in with a link sent to their email address.
            </EmptyState>
          )
        }
      >
        {(members) => <MembersTable members={members} />}
      </InfiniteList>
      <Dialog state={creating} title="Add a member">
        {() => (
          <MemberForm onSaved={({ id }) => navigate(`/members/${id}`)} onClose={creating.close} />
        )}
      </Dialog>
    </>
  );
}

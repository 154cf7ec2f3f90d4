import { Button, Group, Select, Switch } from '@mantine/core';
import { IconPlus, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { can, isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { ExportButton } from '../../components/ExportButton.tsx';
import {
  SearchField,
  StatusFilter,
  toSelectOptions,
  useSearch,
} from '../../components/ListFilters.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import type { MemberStatus } from '../../gql/graphql.ts';
import { TeamSelect } from '../teams/TeamSelect.tsx';
import { ImportMembers } from './ImportMembers.tsx';
import { MemberForm } from './MemberForm.tsx';
import { MEMBER_STATUS_OPTIONS, MembersTable } from './MembersTable.tsx';
import { MEMBER_CSV_HEADER, toMemberCsvLines } from './member-csv.ts';
import { fetchExportedMembers, useMembers } from './queries.ts';

/** The value of the filter for members without a plan. */
const NO_PLAN = 'none';

const toPlanFilter = (plan: string | null) =>
  plan === NO_PLAN ? { withoutPlan: true } : { planId: plan };

export function MembersPage() {
  const viewer = useStaffViewer();
  const canChange = can(viewer, 'members:write');
  const search = useSearch();
  const [status, setStatus] = useState<MemberStatus | null>(null);
  const [teamId, setTeamId] = useState<string | null>(null);
  const [plan, setPlan] = useState<string | null>(null);
  const [erased, setErased] = useState(false);
  const canReadPlans = can(viewer, 'plans:read');
  const filter = {
    ...{ q: search.q, status: status && [status], teamId, erased },
    ...toPlanFilter(plan),
  };
  const pages = useMembers(filter, canReadPlans);
  const isFiltered = Boolean(search.q || status || teamId || plan || erased);
  const creating = useDialog();
  const navigate = useNavigate();
  const importing = useDialog();
  const exporting = (
    <ExportButton
      fileName="members.csv"
      noun="members"
      header={MEMBER_CSV_HEADER}
      keepsNumbers
      load={(after, signal) => fetchExportedMembers(filter, canReadPlans, { after, signal })}
      toLines={toMemberCsvLines}
    />
  );
  const add = canChange && (
    <>
      {isSpaceManager(viewer) && (
        <Button variant="default" onClick={() => importing.open(true)}>
          Import
        </Button>
      )}
      <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
        Add a member
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title="Members"
        description="The people in your community, their plans and their bookings."
        action={
          <Group gap="sm">
            {exporting}
            {add}
          </Group>
        }
      />
      <Group align="flex-end" mb="md" gap="sm">
        <SearchField placeholder="Name, email, company, phone or team" search={search} />
        <StatusFilter options={MEMBER_STATUS_OPTIONS} value={status} onChange={setStatus} w={120} />
        <TeamSelect
          teams={pages.firstPage?.teams}
          value={teamId}
          onChange={setTeamId}
          placeholder="Any"
          w={180}
        />
        {canReadPlans && (
          <Select
            label="Plan"
            w={160}
            data={[
              { value: '', label: 'Any' },
              { value: NO_PLAN, label: 'No plan' },
              ...toSelectOptions(pages.firstPage?.plans),
            ]}
            value={plan ?? ''}
            onChange={(value) => setPlan(value || null)}
            allowDeselect={false}
          />
        )}
        <Switch
          label="Erased people"
          mb={8}
          checked={erased}
          onChange={({ currentTarget: { checked } }) => setErased(checked)}
        />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          isFiltered ? (
            <EmptyState icon={IconUser} title="No matching members">
              Try another search or other filters.
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
      <Dialog state={importing} title="Import members" size="xl">
        {() => <ImportMembers onClose={importing.close} />}
      </Dialog>
      <Dialog state={creating} title="Add a member">
        {() => (
          <MemberForm onSaved={({ id }) => navigate(`/members/${id}`)} onClose={creating.close} />
        )}
      </Dialog>
    </>
  );
}

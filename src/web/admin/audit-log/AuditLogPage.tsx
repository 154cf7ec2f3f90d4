import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { ExportButton } from '../../components/ExportButton.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import {
  addDays,
  BROWSER_TIME_ZONE,
  isCalendarDate,
  toStartOfDay,
} from '../../components/wall-clock.ts';
import type { ChangeFilter } from '../../gql/graphql.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import { ChangeDetails } from './ChangeDetails.tsx';
import {
  findSubject,
  formatActor,
  formatField,
  formatType,
  listFieldChanges,
  listNounOptions,
} from './change-labels.ts';
import { CSV_HEADER, toCsvLines } from './csv.ts';
import { type Change, fetchChanges, useAuditLog } from './queries.ts';

const columns: Column<Change>[] = [
  {
    header: 'What',
    cell: (change) => (
      <>
        <Text fw={600}>{formatType(change.type)}</Text>
        <Text size="sm">{findSubject(change)?.name}</Text>
      </>
    ),
  },
  { header: 'Who', cell: (change) => <Text size="sm">{formatActor(change)}</Text> },
  { header: 'Fields', cell: (change) => <ChangedFields change={change} /> },
  { header: 'When', cell: ({ at }) => <DateTime at={at} format="since" /> },
];

/** The URL contains the filter, so that it can be shared. */
export function AuditLogPage() {
  const isOwner = isSpaceOwner(useStaffViewer());
  const [params, setParams] = useSearchParams();
  const get = (key: string) => params.get(key) || null;
  const setFilter = (changed: Record<string, string | null>) => {
    const next = { ...Object.fromEntries(params), ...changed };
    setParams(
      Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1])),
      { replace: true },
    );
  };
  const [noun, actorId, memberId] = [get('about'), get('by'), get('member')];
  const [subjectId, day] = [get('subject'), get('day') ?? ''];
  const actor = actorId ?? memberId;
  const filter: ChangeFilter = {
    types: noun ? [`${noun}.*`] : null,
    actorIds: actor ? [actor] : null,
    subjectIds: subjectId ? [subjectId] : null,
    ...toDayRange(day),
  };
  const pages = useAuditLog(filter, memberId);
  const reading = useDialog<Change>();
  const isFiltered = Boolean(noun || actor || subjectId || day);
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every change: what happened, who did it, when and from where."
        action={
          <ExportButton
            fileName="audit-log.csv"
            noun="changes"
            header={CSV_HEADER}
            load={(after, signal) => fetchChanges(filter, after, signal)}
            toLines={toCsvLines}
          />
        }
      />
      <Group align="flex-end" mb="md" gap="sm">
        <Select
          label="About"
          placeholder="Everything"
          data={listNounOptions(isOwner)}
          value={noun}
          onChange={(about) => setFilter({ about })}
          clearable
          searchable
          w={200}
        />
        <Select
          label="By staff or API key"
          placeholder="Anyone"
          data={[
            { group: 'Staff', items: toOptions(pages.firstPage?.staff) },
            { group: 'API keys', items: toOptions(pages.firstPage?.apiTokens) },
          ]}
          value={actorId}
          onChange={(by) => setFilter({ by, member: null })}
          clearable
          searchable
          w={200}
        />
        <MemberFilter
          id={memberId}
          loaded={pages.firstPage?.member ?? null}
          onChange={(member) => setFilter({ member, by: null })}
        />
        <TextInput
          type="date"
          label="Day"
          value={day}
          onChange={({ currentTarget: { value } }) => setFilter({ day: value })}
        />
      </Group>
      {subjectId && (
        <Group mb="md" gap="sm">
          <Text size="sm">{describeSubject(pages.firstPage, subjectId)}</Text>
          <Button size="xs" variant="default" onClick={() => setFilter({ subject: null })}>
            Show all objects
          </Button>
        </Group>
      )}
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState
            icon={IconHistory}
            title={isFiltered ? 'No matching changes' : 'No changes yet'}
          >
            {isFiltered
              ? 'Try another day, person or kind of object.'
              : 'Whatever people, programs and jobs change appears here.'}
          </EmptyState>
        }
      >
        {(changes) => (
          <DataTable
            label="Changes"
            columns={columns}
            rows={changes}
            getKey={({ id }) => id}
            actions={(change) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Details: ${formatType(change.type)} ${findSubject(change)?.name ?? ''}`.trim()}
                onClick={() => reading.open(change)}
              >
                Details
              </Button>
            )}
          />
        )}
      </InfiniteList>
      <Dialog state={reading} title={formatType(reading.subject?.type ?? '')} size="lg">
        {(change) => (
          <ChangeDetails
            change={change}
            onShowHistory={(subject) => {
              reading.close();
              setParams({ subject });
            }}
          />
        )}
      </Dialog>
    </>
  );
}

interface MemberFilterProps {
  id: string | null;
  /** The member with the id that the URL contained when the page was opened. */
  loaded: { id: string; name: string } | null;
  onChange: (id: string | null) => void;
}

function MemberFilter({ id, loaded, onChange }: MemberFilterProps) {
  const [selected, setSelected] = useState<{ id: string; name: string } | null>(null);
  const [isNameNeeded] = useState(id !== null);
  const member = [selected, loaded].find((candidate) => candidate?.id === id) ?? null;
  // The field begins with the name, so it waits for it.
  if (isNameNeeded && selected === null && id !== null && member === null)
    return <TextInput label="By member" placeholder="Loading…" disabled />;
  return (
    <MemberSelect
      label="By member"
      value={id === null ? null : member}
      onChange={(next) => {
        setSelected(next);
        onChange(next?.id ?? null);
      }}
    />
  );
}

function describeSubject(page: { edges: readonly { node: Change }[] } | undefined, id: string) {
  const change = page?.edges.find(({ node }) => node.subjectId === id)?.node;
  return `All changes of ${(change && findSubject(change)?.name) || 'one object'}`;
}

/** The names of the changed fields. New and deleted objects have too many. */
function ChangedFields({ change }: { change: Change }) {
  if (change.before === null || change.after === null) return '–';
  const fields = listFieldChanges(change).map(({ field }) => formatField(field));
  return (
    <Text size="sm" c="dimmed">
      {fields.join(', ') || '–'}
    </Text>
  );
}

const toOptions = (rows: { id: string; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

/** The range of a day in the time zone of the browser. */
function toDayRange(day: string): Pick<ChangeFilter, 'from' | 'to'> {
  if (!isCalendarDate(day)) return {};
  return {
    from: toStartOfDay(day, BROWSER_TIME_ZONE).toISOString(),
    to: toStartOfDay(addDays(day, 1), BROWSER_TIME_ZONE).toISOString(),
  };
}

import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import {
  BackLink,
  DescriptionList,
  EmptyState,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { ImportOutcome } from '../../gql/graphql.ts';
import {
  formatCounts,
  formatFile,
  formatKind,
  ImportStateBadge,
  OUTCOME_OPTIONS,
  OUTCOMES,
} from './import-labels.tsx';
import { type Import, type ImportRow, useImport, useImportRows } from './queries.ts';
import { UndoImport } from './UndoImport.tsx';

/** An import with what it did with each line, and its undo. */
export function ImportPage() {
  const { importId = '' } = useParams();
  const query = useImport(importId);
  const undoing = useDialog();
  return (
    <>
      <BackLink to="/settings/imports">All imports</BackLink>
      <QueryBoundary query={query} height={400}>
        {(row) => (
          <>
            <PageHeader
              title={formatFile(row)}
              description={formatKind(row)}
              action={
                row.state !== 'UNDONE' && (
                  <Button variant="light" color="red" onClick={() => undoing.open(true)}>
                    Undo import
                  </Button>
                )
              }
            />
            <Stack>
              <Summary row={row} />
              <Rows row={row} />
            </Stack>
            <Dialog state={undoing} title="Undo this import?" size="lg">
              {() => <UndoImport row={row} onClose={undoing.close} />}
            </Dialog>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const Summary = ({ row }: { row: Import }) => (
  <SectionCard title="Result">
    {row.state === 'RUNNING' && (
      <Text size="sm" mb="sm">
        Parts of this file are still being sent, or the import was interrupted. Import the file
        again to continue: nobody is added twice.
      </Text>
    )}
    <DescriptionList
      items={[
        ['Status', <ImportStateBadge key="state" state={row.state} />],
        ['Lines', formatCounts(row)],
        ['Existing members', row.kind === 'MEMBERS' && row.updatesExisting ? 'Were updated' : null],
        ['By', row.startedBy ?? 'Command line'],
        ['Started', <DateTime key="started" at={row.createdAt} format="since" />],
        ['Undone', row.undoneAt && <DateTime key="undone" at={row.undoneAt} format="since" />],
      ]}
    />
  </SectionCard>
);

const SUBJECT_PATHS = { MEMBERS: 'members', EVENTS: 'events', BOOKINGS: null };

function Rows({ row }: { row: Import }) {
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const pages = useImportRows(row, outcome);
  const path = row.state === 'UNDONE' ? null : SUBJECT_PATHS[row.kind];
  const columns: Column<ImportRow>[] = [
    { header: 'Line', cell: ({ line }) => <Text size="sm">Line {line}</Text> },
    { header: 'Result', cell: ({ outcome }) => <Text size="sm">{OUTCOMES[outcome]}</Text> },
    {
      header: 'Reason',
      cell: ({ reason }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      ),
    },
    {
      header: 'Record',
      cell: ({ subjectId, line, booking }) =>
        booking ? (
          <BookingLink booking={booking} />
        ) : subjectId !== null && path !== null ? (
          <Anchor
            component={Link}
            to={`/${path}/${subjectId}`}
            size="sm"
            aria-label={`Open the record of line ${line}`}
          >
            Open
          </Anchor>
        ) : null,
    },
  ];
  return (
    <SectionCard title="Lines of the file">
      <Group mb="md">
        <Select
          label="Result"
          w={160}
          data={[{ value: '', label: 'Any' }, ...OUTCOME_OPTIONS]}
          value={outcome ?? ''}
          onChange={(value) => setOutcome((value || null) as ImportOutcome | null)}
          allowDeselect={false}
        />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconFileImport} title="No such lines">
            Choose another result.
          </EmptyState>
        }
      >
        {(rows) => (
          <DataTable
            label="Lines of the file"
            columns={columns}
            rows={rows}
            getKey={({ id }) => id}
          />
        )}
      </InfiniteList>
    </SectionCard>
  );
}

/** The room and the time of a booking, with a link to its day. */
function BookingLink({ booking }: { booking: NonNullable<ImportRow['booking']> }) {
  const { startsAt, resource, location } = booking;
  const day = toLocalDate(new Date(startsAt), location.timeZone);
  return (
    <Anchor component={Link} to={`/bookings?location=${location.id}&day=${day}`} size="sm">
      {resource.name}, {formatLocalDateTime(new Date(startsAt), location.timeZone)}
    </Anchor>
  );
}

import { Anchor, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from 'react-router';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { formatCounts, formatFile, formatKind, ImportStateBadge } from './import-labels.tsx';
import { type Import, useImports } from './queries.ts';

const columns: Column<Import>[] = [
  {
    header: 'File',
    cell: (row) => <NameCell name={formatFile(row)} to={`/settings/imports/${row.id}`} />,
  },
  { header: 'Contains', cell: (row) => <Text size="sm">{formatKind(row)}</Text> },
  { header: 'Status', cell: ({ state }) => <ImportStateBadge state={state} /> },
  { header: 'Result', cell: (row) => <Text size="sm">{formatCounts(row)}</Text> },
  {
    header: 'By',
    cell: ({ startedBy }) => <Text size="sm">{startedBy ?? 'Command line'}</Text>,
  },
  { header: 'Started', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

/** The files that were imported. */
export function ImportsPage() {
  const pages = useImports();
  return (
    <>
      <PageHeader
        title="Imports"
        description={
          <>
            Files that were imported, and what they added. Import other files under{' '}
            <Anchor component={Link} to="/members" size="sm">
              Members
            </Anchor>
            ,{' '}
            <Anchor component={Link} to="/events" size="sm">
              Events
            </Anchor>{' '}
            and{' '}
            <Anchor component={Link} to="/bookings" size="sm">
              Bookings
            </Anchor>
            .
          </>
        }
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconFileImport} title="Nothing was imported yet">
            Import members under Members, and calendars under Events and Bookings.
          </EmptyState>
        }
      >
        {(imports) => (
          <DataTable
            label="Imports"
            columns={columns}
            rows={imports}
            getKey={({ id }) => id}
            isEnded={({ state }) => state === 'UNDONE'}
          />
        )}
      </InfiniteList>
    </>
  );
}

import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { countRows } from './labels.ts';
import { type Erasure, useErasures } from './queries.ts';

const columns: Column<Erasure>[] = [
  { header: 'When', cell: ({ createdAt }) => <Moment at={createdAt} as="day" /> },
  { header: 'By', cell: ({ erasedBy }) => <Text size="sm">{erasedBy ?? 'Command line'}</Text> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason ?? '–'}</Text> },
  { header: 'Entries', cell: ({ counts }) => <Text size="sm">{countRows(counts)}</Text> },
];

export function Erasures() {
  const pages = useErasures();
  return (
    <Panel title="Erased persons" description="Proof of what was done, without the persons.">
      <PagedList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            Nobody has been erased yet.
          </Text>
        }
      >
        {(erasures) => (
          <DataTable
            label="Erased persons"
            columns={columns}
            rows={erasures}
            keyOf={({ id }) => id}
          />
        )}
      </PagedList>
    </Panel>
  );
}

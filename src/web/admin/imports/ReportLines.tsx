import { Group, Pagination, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import type { ImportOutcome, ImportReportFragment } from '../../gql/graphql.ts';
import { OUTCOME_OPTIONS, OUTCOMES } from './import-labels.tsx';

const PAGE_SIZE = 50;

type Line = ImportReportFragment['lines'][number];

/** The value of the filter for lines with a reason: problems, and what is left out. */
const REMARKS = 'remarks';

type Filter = ImportOutcome | typeof REMARKS | 'any';

const matches = ({ outcome, reason }: Line, filter: Filter) =>
  filter === 'any' || (filter === REMARKS ? reason !== null : outcome === filter);

/** What an import would do with each line, one page at a time: a file can have any number of lines. */
export function ReportLines({ lines }: { lines: Line[] }) {
  const [filter, setFilter] = useState<Filter>(REMARKS);
  const [page, setPage] = useState(1);
  const shown = lines.filter((line) => matches(line, filter));
  const pageCount = Math.ceil(shown.length / PAGE_SIZE);
  return (
    <>
      <Group align="flex-end" justify="space-between">
        <Select
          label="Show"
          w={200}
          data={[
            { value: REMARKS, label: 'Lines with remarks' },
            { value: 'any', label: 'All lines' },
            ...OUTCOME_OPTIONS,
          ]}
          value={filter}
          onChange={(value) => {
            setFilter(value as Filter);
            setPage(1);
          }}
          allowDeselect={false}
        />
        <Text size="sm" c="dimmed" role="status">
          {shown.length === 1 ? '1 line' : `${shown.length} lines`}
        </Text>
      </Group>
      {shown.length > 0 && (
        <DataTable
          label="Lines of the file"
          columns={LINE_COLUMNS}
          rows={shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
          getKey={({ line, what }) => `${line} ${what}`}
        />
      )}
      {pageCount > 1 && (
        <Pagination
          total={pageCount}
          value={page}
          onChange={setPage}
          size="sm"
          aria-label="Pages of lines"
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </>
  );
}

const LINE_COLUMNS: Column<Line>[] = [
  { header: 'Line', cell: ({ line }) => <Text size="sm">Line {line}</Text> },
  {
    header: 'Entry',
    cell: ({ what }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {what}
      </Text>
    ),
  },
  { header: 'Result', cell: ({ outcome }) => <Text size="sm">{OUTCOMES[outcome]}</Text> },
  { header: 'Reason', cell: ({ reason }) => <Text size="sm">{reason}</Text> },
];

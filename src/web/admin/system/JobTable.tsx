import { Text } from '@mantine/core';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { formatMs } from './format.ts';
import type { SystemJob } from './queries.ts';

const columns: Column<SystemJob>[] = [
  { header: 'Job', cell: ({ name }) => <Text fw={600}>{name}</Text> },
  { header: 'Status', cell: (job) => <JobState job={job} /> },
  {
    header: 'Last run',
    cell: ({ startedAt, durationMs }) =>
      startedAt === null ? (
        <Text size="sm">Never</Text>
      ) : (
        <Text size="sm">
          <DateTime at={startedAt} format="since" />
          {durationMs !== null && `, ${formatMs(durationMs)}`}
        </Text>
      ),
  },
  {
    header: 'Last failure',
    cell: ({ failedAt, error }) =>
      failedAt === null ? (
        <Text size="sm">None</Text>
      ) : (
        <Text size="sm" maw={320} style={{ overflowWrap: 'anywhere' }}>
          <DateTime at={failedAt} format="since" />: {error}
        </Text>
      ),
  },
  { header: 'Next run', cell: ({ nextRunAt }) => <DateTime at={nextRunAt} format="until" /> },
];

/** Failing and late jobs come first. */
export function JobTable({ jobs }: { jobs: SystemJob[] }) {
  const isBad = ({ isFailing, isLate }: SystemJob) => isFailing || isLate;
  return (
    <SectionCard
      title="Jobs"
      description="One of the instances runs each job at its times, in UTC."
    >
      <DataTable
        label="Jobs"
        columns={columns}
        rows={[...jobs.filter(isBad), ...jobs.filter((job) => !isBad(job))]}
        getKey={({ name }) => name}
      />
    </SectionCard>
  );
}

function JobState({ job: { isFailing, isLate, startedAt } }: { job: SystemJob }) {
  if (isFailing) return <StatusBadge color="red">Failing</StatusBadge>;
  if (isLate) return <StatusBadge color="orange">Late</StatusBadge>;
  return startedAt === null ? (
    <StatusBadge color="gray">Not due yet</StatusBadge>
  ) : (
    <StatusBadge color="teal">Working</StatusBadge>
  );
}

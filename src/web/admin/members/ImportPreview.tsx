import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CsvPart } from '../../../core/csv-parts.ts';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type ImportReport, type ImportSettings, importParts } from './import-queries.ts';

const MAX_SHOWN_LINES = 100;

/** A file with the report of what its import would do. */
export interface Preview {
  parts: CsvPart[];
  settings: ImportSettings;
  report: ImportReport;
  /** How the file was read, unless it is Unicode. */
  encoding: string | null;
}

type Line = ImportReport['lines'][number];

interface ImportPreviewProps {
  preview: Preview;
  onBack: () => void;
  onClose: () => void;
}

/** Shows what an import would do, and does it. */
export function ImportPreview({ preview, onBack, onClose }: ImportPreviewProps) {
  const { parts, settings, report, encoding } = preview;
  const [progress, setProgress] = useState(0);
  const run = useInvalidatingMutation(
    () =>
      importParts(
        parts,
        {
          ...settings,
          dryRun: false,
          skipProblems: report.skipped > 0,
          dateOrder: report.dateOrder,
        },
        (done) => setProgress(done / parts.length),
      ),
    [['members'], ['teams'], ['plans']],
    ({ imported }) => {
      notifySuccess(`${formatMembers(imported)} imported.`);
      onClose();
    },
  );
  const remarks = report.lines.filter(({ reason }) => reason !== null);
  return (
    <Stack gap="sm">
      <FormError error={run.error} />
      {run.error && (
        <Text size="sm">
          Lines that were imported before the error stay. Import the file again to continue: nobody
          is added twice.
        </Text>
      )}
      {encoding && (
        <Text size="sm">
          The file was read as {encoding}, such as “{findSample(report)}”. If letters look wrong, go
          back and choose its encoding.
        </Text>
      )}
      <List size="sm" aria-label="What will happen">
        <List.Item>{formatMembers(report.imported)} will be added</List.Item>
        {report.unchanged > 0 && (
          <List.Item>
            {report.unchanged === 1
              ? '1 exists already and stays as it is'
              : `${report.unchanged} exist already and stay as they are`}
          </List.Item>
        )}
        {report.notes.map(({ line, text }) => (
          <List.Item key={`${line} ${text}`}>
            Line {line}: {text}
          </List.Item>
        ))}
      </List>
      {report.skipped > 0 && (
        <Alert
          color="orange"
          title={`${report.skipped === 1 ? '1 line' : `${report.skipped} lines`} cannot be imported`}
        >
          Correct the file and choose it again, or import only the correct lines.
        </Alert>
      )}
      {remarks.length > 0 && (
        <DataTable
          label="Lines of the file"
          columns={LINE_COLUMNS}
          rows={remarks.slice(0, MAX_SHOWN_LINES)}
          getKey={({ line }) => String(line)}
        />
      )}
      {remarks.length > MAX_SHOWN_LINES && (
        <Text size="sm" c="dimmed">
          And {remarks.length - MAX_SHOWN_LINES} more.
        </Text>
      )}
      {run.isPending && <Progress value={progress * 100} aria-label="Importing" />}
      <Group justify="space-between">
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={onBack}
          disabled={run.isPending}
        >
          Back
        </Anchor>
        <Group gap="sm">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            Cancel
          </Button>
          <Button
            onClick={() => run.mutate()}
            loading={run.isPending}
            disabled={report.imported === 0}
          >
            {report.skipped > 0
              ? formatCorrectLines(report.imported)
              : `Import ${formatMembers(report.imported)}`}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** An entry in which wrong letters would show. */
const findSample = ({ lines }: ImportReport) =>
  (lines.find(({ what }) => /[^\0-\x7f]/.test(what)) ?? lines[0])?.what ?? '';

const formatCorrectLines = (count: number) =>
  count === 1 ? 'Import the correct line' : `Import the ${count} correct lines`;

const formatMembers = (count: number) => (count === 1 ? '1 member' : `${count} members`);

const OUTCOMES = { IMPORTED: 'Added', UNCHANGED: 'Unchanged', SKIPPED: 'Problem' };

const LINE_COLUMNS: Column<Line>[] = [
  { header: 'Line', cell: ({ line }) => <Text size="sm">{line}</Text> },
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

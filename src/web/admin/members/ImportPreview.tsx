import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CsvPart } from '../../../core/csv-parts.ts';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type ImportReport, type ImportSettings, importFile } from './import-queries.ts';
import { ReportLines } from './ReportLines.tsx';

/** A file with the report of what its import would do. */
export interface Preview {
  parts: CsvPart[];
  settings: ImportSettings;
  fileName: string;
  report: ImportReport;
  /** How the file was read, unless it is Unicode. */
  encoding: string | null;
}

interface ImportPreviewProps {
  preview: Preview;
  onBack: () => void;
  onClose: () => void;
}

/** Shows what an import would do, and does it. */
export function ImportPreview({ preview, onBack, onClose }: ImportPreviewProps) {
  const { parts, settings, report, fileName, encoding } = preview;
  const changes = report.imported + report.updated;
  const [progress, setProgress] = useState(0);
  const run = useInvalidatingMutation(
    () =>
      importFile(
        fileName,
        parts,
        {
          ...settings,
          dryRun: false,
          skipProblems: report.skipped > 0,
          dateOrder: report.dateOrder,
        },
        (done) => setProgress(done / parts.length),
      ),
    [['members'], ['teams'], ['plans'], ['imports']],
    ({ imported, updated }) => {
      notifySuccess(
        `${formatMembers(imported)} imported${updated > 0 ? `, ${updated} updated` : ''}.`,
      );
      onClose();
    },
  );
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
        {report.updated > 0 && (
          <List.Item>{formatMembers(report.updated)} will be updated</List.Item>
        )}
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
      <ReportLines lines={report.lines} />
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
          <Button onClick={() => run.mutate()} loading={run.isPending} disabled={changes === 0}>
            {report.skipped > 0 ? formatCorrectLines(changes) : `Import ${formatMembers(changes)}`}
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

import {
  Alert,
  Anchor,
  Button,
  FileInput,
  Group,
  List,
  Progress,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { useState } from 'react';
import { type CsvPart, decodeFile, splitCsv } from '../../../core/csv-parts.ts';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type ImportReport, type ImportSettings, importParts } from './import-queries.ts';

const MAX_FILE_BYTES = 5_000_000;
const MAX_SHOWN_LINES = 100;

/** A file with the report of what its import would do. */
interface Preview {
  parts: CsvPart[];
  settings: ImportSettings;
  report: ImportReport;
}

type Line = ImportReport['lines'][number];

/** Imports members from a CSV file: choose it, see what will happen, import it. */
export function ImportMembers({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [settings, setSettings] = useState<ImportSettings>({
    createTeams: false,
    sendEmails: false,
  });
  const [progress, setProgress] = useState(0);
  const check = useInvalidatingMutation(
    async (): Promise<Preview> => {
      if (file === null || file.size > MAX_FILE_BYTES)
        throw new Error('Choose a CSV file of at most 5 MB.');
      const parts = splitCsv(decodeFile(new Uint8Array(await file.arrayBuffer())));
      const run = { ...settings, dryRun: true, skipProblems: true };
      const show = (done: number) => setProgress(done / parts.length);
      const report = await importParts(parts, run, show);
      // Only one of the parts can show how their dates are read.
      const { dateOrder } = report;
      if (parts.length === 1 || dateOrder === null) return { parts, settings, report };
      return { parts, settings, report: await importParts(parts, { ...run, dateOrder }, show) };
    },
    [],
    () => setProgress(0),
  );
  const change = (changes: Partial<ImportSettings>) => {
    check.reset();
    setSettings({ ...settings, ...changes });
  };
  if (check.data)
    return <ImportPreview preview={check.data} onBack={check.reset} onClose={onClose} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate();
      }}
    >
      <Stack gap="sm">
        <FormError error={check.error} />
        <Text size="sm">
          The first line names the columns: name, email, and optionally phone, company, status,
          team, plan and start date. Nothing is imported before you have seen what will happen.
        </Text>
        <FileInput
          label="CSV file"
          placeholder="Choose a file"
          accept=".csv,.tsv,.txt,text/csv"
          data-autofocus
          clearable
          value={file}
          onChange={setFile}
        />
        <Switch
          label="Create missing teams"
          description="Otherwise, lines with a team that does not exist are a problem"
          checked={settings.createTeams}
          onChange={({ currentTarget: { checked } }) => change({ createTeams: checked })}
        />
        <Switch
          label="Email members about their memberships"
          description="Without it, the import sends no emails"
          checked={settings.sendEmails}
          onChange={({ currentTarget: { checked } }) => change({ sendEmails: checked })}
        />
        {check.isPending && <Progress value={progress * 100} aria-label="Checking the file" />}
      </Stack>
      <DialogActions
        label="Check the file"
        disabled={file === null}
        pending={check.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

interface ImportPreviewProps {
  preview: Preview;
  onBack: () => void;
  onClose: () => void;
}

function ImportPreview({ preview, onBack, onClose }: ImportPreviewProps) {
  const { parts, settings, report } = preview;
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
      <List size="sm" aria-label="What will happen">
        <List.Item>{formatMembers(report.imported)} will be added</List.Item>
        {report.unchanged > 0 && (
          <List.Item>
            {report.unchanged === 1
              ? '1 exists already and stays as it is'
              : `${report.unchanged} exist already and stay as they are`}
          </List.Item>
        )}
        {report.notes.map(({ text }) => (
          <List.Item key={text}>{text}</List.Item>
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
          Choose another file
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

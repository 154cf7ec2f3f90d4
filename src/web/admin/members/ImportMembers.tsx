import { Anchor, FileInput, Progress, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { type CsvPart, decodeFile, splitCsv } from '../../../core/csv-parts.ts';
import { ApiError } from '../../api/errors.ts';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import type { UndecidedChoice } from '../../gql/graphql.ts';
import { ENCODING_OPTIONS } from '../imports/encodings.ts';
import { ImportPreview } from '../imports/ImportPreview.tsx';
import { ColumnChoices } from './ColumnChoices.tsx';
import {
  type ImportReport,
  type ImportSettings,
  importFile,
  importParts,
} from './import-queries.ts';

const MAX_FILE_BYTES = 20_000_000;

const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'];

const UNDECIDED_OPTIONS: { value: UndecidedChoice; label: string }[] = [
  { value: 'SKIP', label: 'Leave them out' },
  { value: 'ACTIVE', label: 'Import them as active' },
  { value: 'PAUSED', label: 'Import them as paused' },
  { value: 'FORMER', label: 'Import them as former' },
];

/** A file with the report of what its import would do. */
interface Preview {
  parts: CsvPart[];
  settings: ImportSettings;
  fileName: string;
  report: ImportReport;
  /** How the file was read, unless it is Unicode. */
  encoding: string | null;
}

/** Imports members from a CSV file: choose it, see what will happen, import it. */
export function ImportMembers({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [settings, setSettings] = useState<ImportSettings>({
    update: false,
    createTeams: false,
    sendEmails: false,
    undecided: null,
    columns: null,
  });
  const [encoding, setEncoding] = useState<string | null>(null);
  const [header, setHeader] = useState<ImportReport['columns']>([]);
  const [progress, setProgress] = useState(0);
  const check = useInvalidatingMutation(
    async (): Promise<Preview> => {
      if (file === null || file.size > MAX_FILE_BYTES)
        throw new Error('Choose a CSV file of at most 20 MB.');
      const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()), encoding ?? undefined);
      const parts = splitCsv(decoded.text);
      const readAs = UNICODE.includes(decoded.encoding) ? null : decoded.encoding;
      const run = { ...settings, dryRun: true, skipProblems: true };
      const show = (done: number) => setProgress(done / parts.length);
      const report = await importParts(parts, run, show);
      // Only one of the parts can show how their dates are read.
      const { dateOrder } = report;
      if (parts.length === 1 || dateOrder === null)
        return { parts, settings, report, fileName: file.name, encoding: readAs };
      return {
        ...{ parts, settings, fileName: file.name, encoding: readAs },
        report: await importParts(parts, { ...run, dateOrder }, show),
      };
    },
    [],
    ({ report }) => {
      setProgress(0);
      setHeader(report.columns);
    },
  );
  const unread = findUnreadColumns(check.error);
  const columns = unread ?? header;
  const change = (changes: Partial<ImportSettings>) => {
    check.reset();
    setSettings({ ...settings, ...changes });
  };
  if (check.data)
    return <MemberPreview preview={check.data} onBack={check.reset} onClose={onClose} />;
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
          team, plan and start date. Nothing is imported before you have seen what will happen.{' '}
          <Anchor component={Link} to="/settings/imports" size="sm">
            Earlier imports
          </Anchor>
        </Text>
        <FileInput
          label="CSV file"
          placeholder="Choose a file"
          accept=".csv,.tsv,.txt,text/csv"
          data-autofocus
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          value={file}
          onChange={(next) => {
            setFile(next);
            setHeader([]);
            change({ columns: null });
          }}
        />
        {columns.length > 0 && (
          <ColumnChoices
            columns={columns}
            chosen={settings.columns}
            onChange={(chosen) => change({ columns: chosen })}
          />
        )}
        <Select
          label="Encoding"
          description="Only if letters looked wrong"
          placeholder="Recognize it"
          data={ENCODING_OPTIONS}
          value={encoding}
          onChange={(next) => {
            check.reset();
            setEncoding(next);
          }}
          clearable
        />
        <Select
          label="Leads and people who are not approved"
          placeholder="Report them as problems"
          data={UNDECIDED_OPTIONS}
          value={settings.undecided}
          onChange={(undecided) => change({ undecided: undecided as UndecidedChoice | null })}
          clearable
        />
        <Switch
          label="Update existing members"
          description="Name, phone, company, status and team, as far as the file has them. Plans stay."
          checked={settings.update}
          onChange={({ currentTarget: { checked } }) => change({ update: checked })}
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

interface MemberPreviewProps {
  preview: Preview;
  onBack: () => void;
  onClose: () => void;
}

const MemberPreview = ({ preview, ...on }: MemberPreviewProps) => {
  const { parts, settings, report, fileName, encoding } = preview;
  const { dateOrder } = report;
  const run = { ...settings, dryRun: false, skipProblems: report.skipped > 0, dateOrder };
  return (
    <ImportPreview
      noun="member"
      report={report}
      encoding={encoding}
      advice="Correct the file and choose it again, or import only the correct lines."
      errorAdvice="Lines that were imported before the error stay. Import the file again to continue: nobody is added twice."
      onImport={(onProgress) =>
        importFile(fileName, parts, run, (done) => onProgress(done / parts.length))
      }
      affected={[['members'], ['teams'], ['plans']]}
      {...on}
    />
  );
};

/** The columns of a file in which those for name or email address were not recognized. */
function findUnreadColumns(error: unknown): ImportReport['columns'] | null {
  const names = error instanceof ApiError ? error.details.columns : undefined;
  return names?.map((name) => ({ name, field: null })) ?? null;
}

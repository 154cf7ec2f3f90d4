import { Select, Switch } from '@mantine/core';
import { useState } from 'react';
import { splitCsv } from '../../../core/csv-parts.ts';
import { ApiError } from '../../api/errors.ts';
import type { UndecidedChoice } from '../../gql/graphql.ts';
import { type CheckedFile, ImportFile, type OnProgress } from '../imports/ImportFile.tsx';
import { ColumnChoices } from './ColumnChoices.tsx';
import {
  type ImportReport,
  type ImportSettings,
  importFile,
  importParts,
} from './import-queries.ts';
import { PlanChoices } from './PlanChoices.tsx';

const MAX_FILE_BYTES = 20_000_000;

const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'];

const UNDECIDED_OPTIONS: { value: UndecidedChoice; label: string }[] = [
  { value: 'SKIP', label: 'Leave them out' },
  { value: 'ACTIVE', label: 'Import them as active' },
  { value: 'PAUSED', label: 'Import them as paused' },
  { value: 'FORMER', label: 'Import them as former' },
];

/** Imports members from a CSV file: choose it, see what will happen, import it. */
export function ImportMembers({ onClose }: { onClose: () => void }) {
  const [settings, setSettings] = useState<ImportSettings>({
    update: false,
    createTeams: false,
    sendEmails: false,
    undecided: null,
    plans: [],
    columns: null,
  });
  const [header, setHeader] = useState<ImportReport['columns']>([]);
  const [unknownPlans, setUnknownPlans] = useState<string[]>([]);
  const change = (changes: Partial<ImportSettings>) => setSettings({ ...settings, ...changes });
  const check = async (file: File, encoding: string | null, onProgress: OnProgress) => {
    try {
      const checked = await checkMembers(file, settings, { encoding, onProgress });
      setHeader(checked.report.columns);
      setUnknownPlans((known) => [...new Set([...known, ...checked.report.unknownPlans])]);
      return checked;
    } catch (error) {
      setHeader(findUnreadColumns(error) ?? header);
      throw error;
    }
  };
  return (
    <ImportFile
      noun="member"
      explanation="The first line names the columns: name, email, and optionally phone, company, address, postcode, city, country, customer number, status, team, plan, start and end date."
      fileLabel="CSV file"
      accept=".csv,.tsv,.txt,text/csv"
      maxBytes={MAX_FILE_BYTES}
      tooLarge="Choose a CSV file of at most 20 MB."
      check={check}
      onChooseFile={() => {
        setHeader([]);
        setUnknownPlans([]);
        change({ columns: null, plans: [] });
      }}
      advice={
        unknownPlans.some((plan) => !settings.plans.some(({ name }) => name === plan))
          ? 'Go back to choose which plans the unknown ones stand for. Or correct the file and choose it again, or import only the correct lines.'
          : 'Correct the file and choose it again, or import only the correct lines.'
      }
      errorAdvice="Lines that were imported before the error stay. Import the file again to continue: nobody is added twice."
      affected={[['members'], ['teams'], ['plans']]}
      onClose={onClose}
    >
      {(reset) => (
        <MemberFields
          settings={settings}
          columns={header}
          unknownPlans={unknownPlans}
          onChange={(changes) => {
            reset();
            change(changes);
          }}
        />
      )}
    </ImportFile>
  );
}

interface CheckOptions {
  encoding: string | null;
  onProgress: OnProgress;
}

/** Runs all parts of a file dry. */
async function checkMembers(
  file: File,
  settings: ImportSettings,
  { encoding, onProgress }: CheckOptions,
): Promise<CheckedFile> {
  const { decodeFile } = await import('../../../core/decode-file.ts');
  const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()), encoding ?? undefined);
  const parts = splitCsv(decoded.text);
  const toShare = (take: OnProgress) => (done: number) => take(done / parts.length);
  const dryRun = { ...settings, dryRun: true, skipProblems: true };
  let report = await importParts(parts, dryRun, toShare(onProgress));
  const { dateOrder } = report;
  // Only one of the parts can show how their dates are read.
  if (parts.length > 1 && dateOrder !== null)
    report = await importParts(parts, { ...dryRun, dateOrder }, toShare(onProgress));
  const run = { ...settings, dryRun: false, skipProblems: report.skipped > 0, dateOrder };
  return {
    report,
    encoding: UNICODE.includes(decoded.encoding) ? null : decoded.encoding,
    run: (onProgress) => importFile(file.name, parts, run, toShare(onProgress)),
  };
}

interface MemberFieldsProps {
  settings: ImportSettings;
  columns: ImportReport['columns'];
  /** The plans of the file that Foyer does not have. */
  unknownPlans: string[];
  onChange: (changes: Partial<ImportSettings>) => void;
}

const MemberFields = ({ settings, columns, unknownPlans, onChange }: MemberFieldsProps) => (
  <>
    {columns.length > 0 && (
      <ColumnChoices
        columns={columns}
        chosen={settings.columns}
        onChange={(chosen) => onChange({ columns: chosen })}
      />
    )}
    {unknownPlans.length > 0 && (
      <PlanChoices
        names={unknownPlans}
        chosen={settings.plans}
        onChange={(plans) => onChange({ plans })}
      />
    )}
    <Select
      label="Leads and people who are not approved"
      placeholder="Report them as problems"
      data={UNDECIDED_OPTIONS}
      value={settings.undecided}
      onChange={(undecided) => onChange({ undecided: undecided as UndecidedChoice | null })}
      clearable
    />
    <Switch
      label="Update existing members"
      description="Name, phone, company, address, customer number, status and team, as far as the file has them. Plans stay."
      checked={settings.update}
      onChange={({ currentTarget: { checked } }) => onChange({ update: checked })}
    />
    <Switch
      label="Create missing teams"
      description="Otherwise, lines with a team that does not exist are a problem"
      checked={settings.createTeams}
      onChange={({ currentTarget: { checked } }) => onChange({ createTeams: checked })}
    />
    <Switch
      label="Email members about their memberships"
      description="Without it, the import sends no emails"
      checked={settings.sendEmails}
      onChange={({ currentTarget: { checked } }) => onChange({ sendEmails: checked })}
    />
  </>
);

/** The columns of a file in which those for name or email address were not recognized. */
function findUnreadColumns(error: unknown): ImportReport['columns'] | null {
  const names = error instanceof ApiError ? error.details.columns : undefined;
  return names?.map((name) => ({ name, field: null })) ?? null;
}

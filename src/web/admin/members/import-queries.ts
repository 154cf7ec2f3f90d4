import type { CsvPart } from '../../../core/csv-parts.ts';
import { request } from '../../api/request.ts';
import type { ImportReportFragment, MemberColumn, UndecidedChoice } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type ImportReport = ImportReportFragment;

graphql(`
  fragment ImportReport on ImportReport {
    dateOrder
    imported
    updated
    unchanged
    skipped
    lines {
      line
      what
      outcome
      reason
    }
    columns {
      name
      field
    }
    notes {
      line
      text
    }
  }
`);

const IMPORT_MEMBERS_MUTATION = graphql(`
  mutation ImportMembers($input: ImportMembersInput!) {
    importMembers(input: $input) {
      report {
        ...ImportReport
      }
    }
  }
`);

const START_IMPORT_MUTATION = graphql(`
  mutation StartImport($input: StartImportInput!) {
    startImport(input: $input) {
      import {
        id
      }
    }
  }
`);

const FINISH_IMPORT_MUTATION = graphql(`
  mutation FinishImport($input: FinishImportInput!) {
    finishImport(input: $input) {
      import {
        id
      }
    }
  }
`);

export interface ImportSettings {
  /** Change members whose email address is known. */
  update: boolean;
  createTeams: boolean;
  sendEmails: boolean;
  undecided: UndecidedChoice | null;
  /** What each column contains, if someone has changed what the service recognizes. */
  columns: (MemberColumn | null)[] | null;
}

interface ImportRun extends ImportSettings {
  dryRun: boolean;
  /** The import that the parts belong to. */
  importId?: string;
  /** As the report of the whole file says. */
  dateOrder?: ImportReport['dateOrder'];
  /** Import the correct lines and skip the others. */
  skipProblems: boolean;
}

/**
 * Sends the parts of a file one after the other, and adds up their reports. A part that was sent twice adds nobody twice. The
 * report says how dates are read, if the dates of any part show it.
 */
export async function importParts(
  parts: CsvPart[],
  run: ImportRun,
  onProgress: (done: number) => void,
): Promise<ImportReport> {
  const reports: ImportReport[] = [];
  for (const { text, lineOffset } of parts) {
    onProgress(reports.length);
    const input = { ...run, file: text, lineOffset };
    const { importMembers } = await request(IMPORT_MEMBERS_MUTATION, { input });
    reports.push(importMembers.report);
  }
  return mergeReports(reports);
}

/** Imports the parts of a file as one import, which the list of imports shows. */
export async function importFile(
  fileName: string,
  parts: CsvPart[],
  run: ImportRun,
  onProgress: (done: number) => void,
): Promise<ImportReport> {
  const input = { kind: 'MEMBERS' as const, fileName, updatesExisting: run.update };
  const { startImport } = await request(START_IMPORT_MUTATION, { input });
  const { id } = startImport.import;
  const report = await importParts(parts, { ...run, importId: id }, onProgress);
  await request(FINISH_IMPORT_MUTATION, { input: { id } });
  return report;
}

function mergeReports(reports: ImportReport[]): ImportReport {
  const sum = (count: 'imported' | 'updated' | 'unchanged' | 'skipped') =>
    reports.reduce((total, report) => total + report[count], 0);
  const notes = new Map(
    reports.flatMap(({ notes }) => notes.map((note) => [`${note.line} ${note.text}`, note])),
  );
  return {
    dateOrder: findCommonOrder(reports),
    imported: sum('imported'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    skipped: sum('skipped'),
    lines: reports.flatMap(({ lines }) => lines),
    columns: reports[0]?.columns ?? [],
    notes: [...notes.values()],
  };
}

/** Null if no part shows how dates are read, or if parts contradict each other. */
function findCommonOrder(reports: ImportReport[]): ImportReport['dateOrder'] {
  const orders = new Set(reports.flatMap(({ dateOrder }) => dateOrder ?? []));
  const [order = null, ...others] = orders;
  return others.length === 0 ? order : null;
}

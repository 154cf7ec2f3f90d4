import { useQuery } from '@tanstack/react-query';
import type { CsvPart } from '../../../core/csv-parts.ts';
import { createRowSample } from '../../../core/row-sample.ts';
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
    unknownPlans
    notes {
      line
      text
    }
    prices {
      bookings
      total {
        amount
        currency
      }
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

const PLAN_NAMES_QUERY = graphql(`
  query PlanNames {
    plans(first: 100, filter: { active: true }) {
      nodes {
        name
      }
    }
  }
`);

/** The plans that new members can get. */
export const usePlanNames = () =>
  useQuery({
    queryKey: ['plans', 'names'],
    queryFn: async () => (await request(PLAN_NAMES_QUERY)).plans.nodes.map(({ name }) => name),
  });

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
  /** Which plans the names in the file stand for. */
  plans: { name: string; plan: string | null }[];
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
 * report says how dates are read, if the dates of any part show it. Of the lines, it lists the first ones of each kind.
 */
export async function importParts(
  parts: CsvPart[],
  run: ImportRun,
  onProgress: (done: number) => void,
): Promise<ImportReport> {
  const total = startTotal();
  for (const [done, { text, lineOffset }] of parts.entries()) {
    onProgress(done);
    const input = { ...run, file: text, lineOffset };
    total.add((await request(IMPORT_MEMBERS_MUTATION, { input })).importMembers.report);
  }
  return total.finish();
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

const COUNTS = ['imported', 'updated', 'unchanged', 'skipped'] as const;

/** Adds up the reports of parts. */
function startTotal() {
  const counts = { imported: 0, updated: 0, unchanged: 0, skipped: 0 };
  const notes = new Map<string, ImportReport['notes'][number]>();
  const orders = new Set<NonNullable<ImportReport['dateOrder']>>();
  const sample = createRowSample<ImportReport['lines'][number]>();
  const plans = new Set<string>();
  let columns: ImportReport['columns'] | null = null;
  return {
    add: (report: ImportReport): void => {
      columns ??= report.columns;
      for (const plan of report.unknownPlans) plans.add(plan);
      for (const count of COUNTS) counts[count] += report[count];
      for (const note of report.notes) notes.set(`${note.line} ${note.text}`, note);
      for (const line of report.lines) sample.add(line);
      if (report.dateOrder) orders.add(report.dateOrder);
    },
    finish: (): ImportReport => {
      const text = sample.formatLeftOut();
      const leftOut = text === null ? [] : [{ line: null, text }];
      return {
        ...counts,
        unknownPlans: [...plans],
        dateOrder: findCommonOrder(orders),
        lines: sample.rows,
        columns: columns ?? [],
        prices: null,
        notes: [...notes.values(), ...leftOut],
      };
    },
  };
}

/** Null if no part shows how dates are read, or if parts contradict each other. */
function findCommonOrder(orders: Set<NonNullable<ImportReport['dateOrder']>>) {
  const [order = null, ...others] = orders;
  return others.length === 0 ? order : null;
}

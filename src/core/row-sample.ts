/** A row of a report. */
interface ReportedRow {
  outcome: string;
  reason?: string | null;
}

/** So many rows of each result, with a reason and without. */
export const MAX_ROWS_PER_KIND = 250;

/** Collects the first rows of each kind. However many rows there are, few are kept. */
export function createRowSample<Row extends ReportedRow>() {
  const counts = new Map<string, number>();
  const rows: Row[] = [];
  let total = 0;
  return {
    rows,
    add: (row: Row): void => {
      total += 1;
      const kind = `${row.outcome} ${Boolean(row.reason)}`;
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      if (count < MAX_ROWS_PER_KIND) rows.push(row);
    },
    /** Says how many rows are left out; null if none is. */
    formatLeftOut: (): string | null =>
      total === rows.length
        ? null
        : `The file has ${total} entries. This report lists the first ${MAX_ROWS_PER_KIND} of each result and leaves out ${total - rows.length}; its counts are of all.`,
  };
}

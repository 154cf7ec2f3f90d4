/** Collects the values of a statement while its text is written. */
export function parameters() {
  const values: unknown[] = [];
  return { values, bind: (value: unknown, type: string) => `$${values.push(value)}::${type}` };
}

interface Span {
  /** SQL of the instants; the range is half open. */
  from?: string | undefined;
  to?: string | undefined;
  after?: { startsAt: string; id: string } | undefined;
}

/**
 * The rows of a table with starts_at and ends_at that overlap a span, sorted by start and id, at most `limit`.
 * What already runs when the span begins comes from the range index and what begins later from the sorted one:
 * so a page costs the same wherever it lies, however much history stands before it.
 */
export function overlapping(table: string, where: string[], span: Span, limit: string): string {
  const common = [...where];
  if (span.to) common.push(`starts_at < ${span.to}`);
  if (span.after) common.push(`(starts_at, id) > (${span.after.startsAt}, ${span.after.id})`);
  const select = (...conditions: string[]) =>
    `(SELECT * FROM ${table} WHERE ${[...conditions, ...common, 'true'].join(' AND ')} ORDER BY starts_at, id LIMIT ${limit})`;
  if (!span.from) return select();
  // OFFSET 0 keeps the planner from walking the whole history in order of start instead.
  const running = `(SELECT * FROM (SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${span.from} OFFSET 0) running
    WHERE ${[`starts_at < ${span.from}`, ...common].join(' AND ')})`;
  const later = select(`starts_at >= ${span.from}`);
  return `(SELECT * FROM (${running} UNION ALL ${later}) either ORDER BY starts_at, id LIMIT ${limit})`;
}

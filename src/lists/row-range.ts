/** The half-open range [from, to) that rows must overlap, as SQL. Each bound is optional. */
interface RangeBounds {
  from?: string | undefined;
  to?: string | undefined;
}

/** Which rows to select. Conditions and order refer to the row as `listed`. */
export interface RangeQuery {
  table: string;
  where: readonly string[];
  /** For tables with `starts_at` and `ends_at`. */
  range: RangeBounds;
  /** ORDER BY and LIMIT. */
  end: string;
  /** Whether `end` sorts by `starts_at` first. */
  isSortedByStart: boolean;
}

/**
 * Builds the query of rows that overlap a range. Rows that are running when the range begins come from the range index,
 * later ones from the sorted index. A page therefore costs the same however much history precedes it.
 */
export function buildRangeQuery({
  table,
  where,
  range: { from, to },
  end,
  isSortedByStart,
}: RangeQuery): string {
  const common = to ? [...where, `listed.starts_at < ${to}`] : where;
  const select = (rows: string, conditions: readonly string[]) =>
    `SELECT listed.* FROM ${rows} listed WHERE ${['true', ...conditions].join(' AND ')}`;
  if (!from) return `(${select(table, common)} ${end})`;
  // OFFSET 0 prevents the planner from scanning the whole history in order of start.
  const running = `(SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${from} OFFSET 0)`;
  const later = `${select(table, [`listed.starts_at >= ${from}`, ...common])} ${isSortedByStart ? end : ''}`;
  return `(SELECT listed.* FROM (
      (${select(running, [`listed.starts_at < ${from}`, ...common])}) UNION ALL (${later})
    ) listed ${end})`;
}

/** Rows of a range that are sorted in memory. Reading and sorting so many takes some milliseconds. */
export const MAX_SORTED_ROWS = 10_000;

/**
 * Builds the query of rows in another order than that of their range. The rows of the range are found first, and sorted. Only if
 * there are many, it reads all rows in this order until enough of them are in the range. Otherwise it could read the whole
 * history for a page, because the order is related to the range: the bookings of a week have all been made shortly before.
 */
export function buildSortedRangeQuery({
  ownerColumn,
  ...query
}: Omit<RangeQuery, 'isSortedByStart'> & { ownerColumn: string | null }): string {
  const { table, where, range, end } = query;
  // In this order, the rows of the owner are found by their index. Otherwise PostgreSQL can look for them among those of all owners.
  const order =
    ownerColumn !== null && range.to && !range.from
      ? `ORDER BY listed.${ownerColumn}, listed.starts_at `
      : '';
  const found = buildRangeQuery({
    ...query,
    end: `${order}LIMIT ${MAX_SORTED_ROWS} + 1`,
    isSortedByStart: false,
  });
  const conditions = [
    ...where,
    ...(range.to ? [`listed.starts_at < ${range.to}`] : []),
    ...(range.from
      ? [`(listed.ends_at > ${range.from} OR listed.starts_at >= ${range.from})`]
      : []),
  ];
  const select = (rows: string, conditions: readonly string[]) =>
    `(SELECT listed.* FROM ${rows} listed WHERE ${conditions.join(' AND ')} ${end})`;
  const count = '(SELECT count(*) FROM found)';
  return `(WITH found AS MATERIALIZED ${found} SELECT listed.* FROM (
      ${select('found', [`${count} <= ${MAX_SORTED_ROWS}`])} UNION ALL
      ${select(table, [`${count} > ${MAX_SORTED_ROWS}`, ...conditions])}
    ) listed ${end})`;
}

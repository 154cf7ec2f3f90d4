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
  /** Default: all. */
  columns?: readonly string[];
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
  columns = ['*'],
}: RangeQuery): string {
  const selected = columns.map((column) => `listed.${column}`).join(', ');
  const common = to ? [...where, `listed.starts_at < ${to}`] : where;
  const select = (rows: string, conditions: readonly string[]) =>
    `SELECT ${selected} FROM ${rows} listed WHERE ${['true', ...conditions].join(' AND ')}`;
  if (!from) return `(${select(table, common)} ${end})`;
  // OFFSET 0 prevents the planner from scanning the whole history in order of start.
  const running = `(SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${from} OFFSET 0)`;
  const later = `${select(table, [`listed.starts_at >= ${from}`, ...common])} ${isSortedByStart ? end : ''}`;
  return `(SELECT ${selected} FROM (
      (${select(running, [`listed.starts_at < ${from}`, ...common])}) UNION ALL (${later})
    ) listed ${end})`;
}

/** Rows of a range whose sort keys are sorted in memory, which takes some milliseconds. */
export const MAX_SORTED_ROWS = 10_000;
/** The same if more rows can be read in order, which takes some milliseconds too. */
const MAX_SORTED_BESIDE_INDEX = 1_000;

interface SortedRangeQuery extends Omit<RangeQuery, 'columns' | 'end' | 'isSortedByStart'> {
  keyColumn: string;
  /** ORDER BY. */
  order: string;
  /** LIMIT. */
  limit: string;
  ownerColumn: string | null;
  /** Whether an index has the few rows of the owner in this order. */
  isOwnerInOrder: boolean;
  /** The range of the column whose week precedes the order in an index; null if there is none. */
  weeks: WeekRange | null;
}

/** The half-open range [from, to) of a column, as SQL. */
interface WeekRange extends RangeBounds {
  column: string;
  /** The conditions of the query, with those by an owner as they were. */
  where: readonly string[];
}

/**
 * Builds the query of rows in another order than that of their range. The rows of the range are found first, and their keys sorted: so
 * many whole rows would not fit into the memory of a sort. Only if
 * there are many, it reads them week by week, or else all rows in this order until enough of them are in the range. Otherwise it could
 * read the whole history for a page, because the order is related to the range: the bookings of a week have all been made shortly before.
 */
export function buildSortedRangeQuery({
  keyColumn,
  ownerColumn,
  isOwnerInOrder,
  weeks,
  order,
  limit,
  ...query
}: SortedRangeQuery): string {
  const { table, where, range } = query;
  const maxSorted = weeks || isOwnerInOrder ? MAX_SORTED_BESIDE_INDEX : MAX_SORTED_ROWS;
  // In this order, the rows of the owner are found by their index. Otherwise PostgreSQL can look for them among those of all owners.
  const ownerOrder =
    ownerColumn !== null && range.to && !range.from
      ? `ORDER BY listed.${ownerColumn}, listed.starts_at `
      : '';
  const found = buildRangeQuery({
    ...query,
    columns: [...new Set(['id', keyColumn, ...(ownerColumn === null ? [] : [ownerColumn])])],
    end: `${ownerOrder}LIMIT ${maxSorted} + 1`,
    isSortedByStart: false,
  });
  const conditions = [
    ...where,
    ...(range.to ? [`listed.starts_at < ${range.to}`] : []),
    ...(range.from
      ? [`(listed.ends_at > ${range.from} OR listed.starts_at >= ${range.from})`]
      : []),
  ];
  const end = `${order} ${limit}`;
  const count = '(SELECT count(*) FROM found)';
  const isMore = `${count} > ${maxSorted}`;
  const others = weeks
    ? buildWeekQuery({ ...query, order, limit, weeks, condition: isMore })
    : `(SELECT listed.* FROM ${table} listed WHERE ${[isMore, ...conditions].join(' AND ')} ${end})`;
  return `(WITH found AS MATERIALIZED ${found} SELECT listed.* FROM (
      (SELECT listed.* FROM (SELECT listed.id FROM found listed WHERE ${count} <= ${maxSorted} ${end}) page
        JOIN ${table} listed ON listed.id = page.id) UNION ALL
      ${others}
    ) listed ${end})`;
}

/** SQL: the beginning of the week of a time, as in the indexes of rows by week. */
const toWeekSql = (time: string): string =>
  `date_bin('7 days', ${time}, '2001-01-01T00:00:00Z'::timestamptz)`;

/**
 * Builds the query of the rows of many weeks in another order. A page of `n` rows has rows of at most `n` weeks: of those whose first
 * rows in this order come first. So it reads the first row of each week, and then the first rows of these weeks.
 */
function buildWeekQuery({
  table,
  range,
  order,
  limit,
  weeks: { column, where, from, to },
  condition,
}: Omit<SortedRangeQuery, 'keyColumn' | 'where' | 'ownerColumn' | 'isOwnerInOrder' | 'weeks'> & {
  weeks: WeekRange;
  condition: string;
}): string {
  const week = toWeekSql(`listed.${column}`);
  const within = [
    ...(from ? [`listed.${column} >= ${from}`] : []),
    ...(to ? [`listed.${column} < ${to}`] : []),
  ];
  // Conditions of the week alone, so that the index finds the next one however the rows of a week are spread.
  const weeksWithin = [
    ...(from ? [`${week} >= ${toWeekSql(from)}`] : []),
    ...(to ? [`${week} < ${to}`] : []),
  ];
  // The conditions of indexes by week: those of partial ones, and the owner.
  const indexed = where.filter((text) => / IS NOT NULL$|^listed\.location_id = /.test(text));
  const selectWeek = (conditions: readonly string[]) =>
    `SELECT ${week} AS week FROM ${table} listed
      WHERE ${['true', ...indexed, ...conditions].join(' AND ')} ORDER BY 1 LIMIT 1`;
  // As a range, and sorted by it, the week is sure to be found by its index. As an equality, it could be a filter of another index.
  const direction = order.includes(' DESC') ? ' DESC' : '';
  const weekOrder = order.replace('ORDER BY ', `ORDER BY ${week}${direction}, `);
  const selectRows = (of: string, limit: string) =>
    `SELECT listed.* FROM ${table} listed
      WHERE ${[`${week} >= ${of}`, `${week} <= ${of}`, ...where, ...within].join(' AND ')} ${weekOrder} ${limit}`;
  // Rows that began before the range and overlap it belong to weeks before it.
  const running = range.from
    ? `UNION ALL (SELECT listed.* FROM (SELECT * FROM ${table} WHERE tstzrange(starts_at, ends_at) @> ${range.from} OFFSET 0) listed
        WHERE ${[condition, ...where, ...(to ? [`listed.starts_at < ${to}`] : []), `listed.starts_at < ${range.from}`].join(' AND ')} ${order} ${limit})`
    : '';
  return `(WITH RECURSIVE weeks (week) AS (
      (${selectWeek(weeksWithin)}) UNION ALL
      SELECT next.week FROM weeks CROSS JOIN LATERAL
        (${selectWeek([`${week} > weeks.week`, ...weeksWithin])}) next
    ), firsts AS MATERIALIZED (
      SELECT * FROM (SELECT weeks.week AS listed_week, listed.* FROM weeks CROSS JOIN LATERAL
        (${selectRows('weeks.week', 'LIMIT 1')}) listed) listed ${order} ${limit}
    )
    SELECT listed.* FROM firsts CROSS JOIN LATERAL (${selectRows('firsts.listed_week', limit)}) listed WHERE ${condition})
    ${running}`;
}

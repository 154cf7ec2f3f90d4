/**
 * SQL: when a date begins in a time zone, as `toStartOfDay`. Where clocks go back to midnight, PostgreSQL takes the second of two
 * midnights, an hour after the first.
 */
export const toDayStartSql = (date: string, timeZone: string) => {
  const midnight = `${date}::timestamp AT TIME ZONE ${timeZone}`;
  const hourBefore = `(${midnight} - interval '1 hour')`;
  return `CASE WHEN ${hourBefore} AT TIME ZONE ${timeZone} = ${date}::timestamp
    THEN ${hourBefore} ELSE ${midnight} END`;
};

/** SQL: when a date ends in a time zone. */
export const toDayEndSql = (date: string, timeZone: string) =>
  toDayStartSql(`(${date} + 1)`, timeZone);

import { toComparableNameSql } from '../../core/names.ts';

/**
 * SQL: whether another visit replaces this unconfirmed one, so that lists and figures leave it out: a confirmed visit of the
 * same person at the location that began later or lasted until then, or a later unconfirmed one. The row itself stays open.
 * If a person's arrival ended it, its place would become free, and an unpaired client could see who has arrived.
 */
export const isReplacedSql = (row: string) => `(${row}.unconfirmed AND (
    EXISTS (SELECT FROM check_ins v WHERE v.member_id = ${row}.member_id AND ${toReplacingSql('v', row)})
    OR EXISTS (SELECT FROM check_ins v WHERE v.host_id = ${row}.host_id
      AND ${toVisitorNameSql('v')} = ${toVisitorNameSql(row)}
      AND ${toReplacingSql('v', row)})))`;

const toVisitorNameSql = (row: string) => `btrim(${toComparableNameSql(`${row}.label`)})`;

const toReplacingSql = (other: string, row: string) => `${other}.location_id = ${row}.location_id
      AND ${other}.result = 'admitted' AND CASE WHEN ${other}.unconfirmed
        THEN ${other}.checked_out_at IS NULL AND ${other}.id > ${row}.id
        ELSE coalesce(${other}.checked_out_at, 'infinity') >= ${row}.occurred_at END`;

import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import { instant } from '../../db/tree.ts';
import type { DisplayStatus } from '../displays/display.ts';
import type { News } from './emit.ts';
import { MOST_AT_ONCE, tellNoted } from './telling.ts';

type Change = Extract<News, { type: `display.${DisplayStatus}` }>;

// Whoever is first has them.
const TAKE = statement(`
  WITH untold AS (
    SELECT id FROM display_status_changes WHERE published_at IS NULL
    ORDER BY recorded_at LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED),
  told AS (
    UPDATE display_status_changes c SET published_at = $1::timestamptz FROM untold WHERE c.id = untold.id
    RETURNING c.display_id, c.previous_status, c.status, c.at, c.recorded_at)
  SELECT 'display.' || told.status AS type, json_build_object('was', told.previous_status, 'at', ${instant('told.at')},
    'display', json_build_object('id', d.id, 'name', d.name, 'kind', d.kind,
      'location', json_build_object('id', l.id, 'name', l.name))) AS payload
  FROM told JOIN displays d ON d.id = told.display_id JOIN locations l ON l.id = d.location_id
  ORDER BY told.recorded_at, told.at`);

/** Tells which displays came and went, each change once, however many instances look. */
export const tellStatusChanges = (ctx: Ctx): Promise<void> =>
  tellNoted(
    ctx,
    ({ write, now }) => write<Change>(TAKE, [now()]),
    (_, changes) => changes,
  );

import { type Ctx, inTransaction } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import { DISPLAY_STATUSES, type DisplayKind, type DisplayStatus } from '../displays/display.ts';
import { emit } from './emit.ts';

const MOST_AT_ONCE = 1_000;

interface Change {
  display: { id: string; name: string; kind: DisplayKind; location: { id: string; name: string } };
  was: DisplayStatus;
  status: DisplayStatus;
  at: Date;
  isRevoked: boolean;
}

// Whoever is first has them; a transaction that comes to nothing leaves them for the next one.
const TAKE = statement(`
  WITH untold AS (
    SELECT id FROM display_status_changes WHERE told_at IS NULL
    ORDER BY noted_at LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED),
  told AS (
    UPDATE display_status_changes c SET told_at = $1::timestamptz FROM untold WHERE c.id = untold.id
    RETURNING c.display_id, c.was, c.status, c.at)
  SELECT told.was, told.status, told.at, d.revoked_at IS NOT NULL AS "isRevoked",
    json_build_object('id', d.id, 'name', d.name, 'kind', d.kind,
      'location', json_build_object('id', l.id, 'name', l.name)) AS display
  FROM told JOIN displays d ON d.id = told.display_id JOIN locations l ON l.id = d.location_id
  ORDER BY told.at`);

/**
 * Timed work: tells which displays came and went, each change once, however many instances look. One that was revoked
 * goes silent by intention, which is no news.
 */
export async function tellStatusChanges(ctx: Ctx): Promise<void> {
  for (;;) {
    const taken = await inTransaction(ctx, async (ctx) => {
      const changes = await ctx.write<Change>(TAKE, [ctx.now()]);
      const news = changes.filter(({ isRevoked }) => !isRevoked);
      for (const status of DISPLAY_STATUSES) {
        const those = news.filter((change) => change.status === status);
        if (those.length > 0) await emit(ctx, `display.${status}`, () => those);
      }
      return changes.length;
    });
    if (taken < MOST_AT_ONCE) return;
  }
}

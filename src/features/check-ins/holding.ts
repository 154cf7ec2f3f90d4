import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import type { Presented } from './check-in.ts';
import { spellings } from './codes.ts';

// In the order of their ids, as those who cancel them lock them.
const HOLD = statement(`
  WITH ticket AS (
    SELECT t.id FROM tickets t WHERE t.id = ANY (ARRAY(
      SELECT id FROM tickets WHERE code = ANY ($1::text[])
      UNION ALL SELECT t.id FROM orders o JOIN tickets t ON t.order_id = o.id WHERE o.code = ANY ($1::text[])))
    ORDER BY t.id FOR SHARE),
  pass AS (
    SELECT p.id FROM day_passes p WHERE p.id = ANY (ARRAY(
      SELECT id FROM day_passes WHERE code = ANY ($1::text[])
      UNION ALL SELECT p.id FROM orders o JOIN day_passes p ON p.order_id = o.id WHERE o.code = ANY ($1::text[])))
    ORDER BY p.id FOR SHARE)
  SELECT (SELECT count(*) FROM ticket) + (SELECT count(*) FROM pass)`);

/** Until the transaction ends nobody cancels the tickets and passes that are presented, nor gives them away. */
export async function holdStill(ctx: Ctx, presented: Presented): Promise<void> {
  if ('code' in presented) await ctx.write(HOLD, [spellings(presented.code)]);
}

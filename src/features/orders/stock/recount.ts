import { type Ctx, inTransaction } from '../../../context.ts';
import { isCounterRefusal } from '../../../db/refusals.ts';

const TAKES = `('held', 'valid')`;

/**
 * Counts anew what is sold and held, mends every counter that says otherwise, and says which those were. Nothing should
 * ever be found: it is logged as an error.
 */
export async function recount(ctx: Ctx): Promise<string[]> {
  const suspects = await ctx.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT e.id FROM events e WHERE ${EVENT_DIFFERS} ORDER BY e.id`,
  );
  const mended: string[] = [];
  for (const { id } of suspects) {
    try {
      if (await inTransaction(ctx, (tx) => recountEvent(tx, id))) mended.push(`event ${id}`);
    } catch (error) {
      // More is sold than there is: for people to mend, and no reason to leave the others wrong.
      if (!isCounterRefusal(error)) throw error;
      ctx.log.error({ err: error, event: id }, 'more tickets are sold than there are');
    }
  }
  for (const { type_id, date } of await daysThatDiffer(ctx)) {
    mended.push(`day pass type ${type_id} on ${date}`);
  }
  if (mended.length > 0) ctx.log.error({ mended }, 'counters of stock were wrong and are mended');
  return mended;
}

const soldOf = (column: string, id: string) =>
  `(SELECT count(*)::int FROM tickets x WHERE x.${column} = ${id} AND x.status IN ${TAKES})`;

const EVENT_DIFFERS = `(e.reserved_count <> ${soldOf('event_id', 'e.id')}
  OR EXISTS (SELECT FROM ticket_types t WHERE t.event_id = e.id AND t.reserved_count <> ${soldOf('ticket_type_id', 't.id')}))`;

/** Looks once more while nobody can sell: what differed a moment ago may have been under way. */
async function recountEvent({ db }: Ctx, id: string): Promise<boolean> {
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE event_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const events = await db.$executeRawUnsafe(
    `UPDATE events e SET reserved_count = ${soldOf('event_id', 'e.id')} WHERE e.id = $1::uuid AND ${EVENT_DIFFERS}`,
    id,
  );
  if (events === 0) return false;
  await db.$executeRawUnsafe(
    `UPDATE ticket_types t SET reserved_count = ${soldOf('ticket_type_id', 't.id')} WHERE t.event_id = $1::uuid`,
    id,
  );
  return true;
}

const DAY_SOLD = `(SELECT count(*)::int FROM day_passes x
  WHERE x.type_id = d.type_id AND x.valid_on = d.date AND x.status IN ${TAKES})`;

const daysThatDiffer = (ctx: Ctx) =>
  inTransaction(ctx, async ({ db }) => {
    await db.$queryRawUnsafe(
      `SELECT 1 FROM day_pass_days d WHERE d.reserved_count <> ${DAY_SOLD} ORDER BY d.type_id, d.date FOR NO KEY UPDATE`,
    );
    return db.$queryRawUnsafe<{ type_id: string; date: string }[]>(
      `UPDATE day_pass_days d SET reserved_count = ${DAY_SOLD} WHERE d.reserved_count <> ${DAY_SOLD}
       RETURNING d.type_id, to_char(d.date, 'YYYY-MM-DD') AS date`,
    );
  });

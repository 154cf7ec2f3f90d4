import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { isCounterViolation } from '../../../db/constraint-errors.ts';

const RESERVING_STATUSES = `('held', 'valid')`;

/** Stock of earlier events and days is not sold any more, so the recount leaves it out. */
const RECOUNTED_DAYS = 7;

/**
 * Job: recounts sold and held tickets and day passes, from those of the last seven days on, and corrects counters that
 * differ. Returns descriptions of the corrected counters. A difference is a bug, so it is logged as an error.
 */
export async function reconcileStock(ctx: Context): Promise<string[]> {
  const since = new Date(ctx.now().getTime() - RECOUNTED_DAYS * DAY_MS);
  const suspects = await ctx.db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT e.id FROM events e
     WHERE tstzrange(e.starts_at, e.ends_at) && tstzrange($1::timestamptz, NULL) AND ${IS_EVENT_COUNT_WRONG} ORDER BY e.id`,
    since,
  );
  const corrected: string[] = [];
  for (const { id } of suspects) {
    try {
      if (await runInTransaction(ctx, (tx) => reconcileEvent(tx, id)))
        corrected.push(`event ${id}`);
    } catch (error) {
      // Only staff can resolve an oversold event, so continue with the others.
      if (!isCounterViolation(error)) throw error;
      ctx.log.error({ err: error, event: id }, 'an event is oversold');
    }
  }
  for (const { type_id, date } of await reconcileDayPassDays(ctx, since)) {
    corrected.push(`day pass type ${type_id} on ${date}`);
  }
  if (corrected.length > 0) ctx.log.error({ corrected }, 'corrected wrong stock counters');
  return corrected;
}

const toSoldCountSql = (column: string, id: string) =>
  `(SELECT count(*)::int FROM tickets x WHERE x.${column} = ${id} AND x.status IN ${RESERVING_STATUSES})`;

const IS_EVENT_COUNT_WRONG = `(e.reserved_count <> ${toSoldCountSql('event_id', 'e.id')}
  OR EXISTS (SELECT FROM ticket_types t WHERE t.event_id = e.id AND t.reserved_count <> ${toSoldCountSql('ticket_type_id', 't.id')}))`;

/**
 * Checks again under the lock, since the difference can have been a sale in progress. Returns whether it corrected a
 * counter.
 */
async function reconcileEvent({ db }: Context, id: string): Promise<boolean> {
  await db.$queryRaw`SELECT 1 FROM events WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 FROM ticket_types WHERE event_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const events = await db.$executeRawUnsafe(
    `UPDATE events e SET reserved_count = ${toSoldCountSql('event_id', 'e.id')} WHERE e.id = $1::uuid AND ${IS_EVENT_COUNT_WRONG}`,
    id,
  );
  if (events === 0) return false;
  await db.$executeRawUnsafe(
    `UPDATE ticket_types t SET reserved_count = ${toSoldCountSql('ticket_type_id', 't.id')} WHERE t.event_id = $1::uuid`,
    id,
  );
  return true;
}

const DAY_PASSES_SOLD = `(SELECT count(*)::int FROM day_passes x
  WHERE x.type_id = d.type_id AND x.valid_on = d.date AND x.status IN ${RESERVING_STATUSES})`;

const reconcileDayPassDays = (ctx: Context, since: Date) =>
  runInTransaction(ctx, async ({ db }) => {
    const isWrong = `d.date >= ($1::timestamptz AT TIME ZONE 'UTC')::date AND d.reserved_count <> ${DAY_PASSES_SOLD}`;
    await db.$queryRawUnsafe(
      `SELECT 1 FROM day_pass_days d WHERE ${isWrong} ORDER BY d.type_id, d.date FOR NO KEY UPDATE`,
      since,
    );
    return db.$queryRawUnsafe<{ type_id: string; date: string }[]>(
      `UPDATE day_pass_days d SET reserved_count = ${DAY_PASSES_SOLD} WHERE ${isWrong}
       RETURNING d.type_id, to_char(d.date, 'YYYY-MM-DD') AS date`,
      since,
    );
  });

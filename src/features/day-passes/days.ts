import type { Ctx } from '../../context.ts';
import type { Day } from '../../dates.ts';

/**
 * Gives a date its stock, unless it has one. The type's row is shared until that is done, so that a change of its daily
 * number comes before it or after it, and is in it either way.
 */
export async function stockDay({ db }: Ctx, typeId: string, date: Day): Promise<void> {
  await db.$executeRaw`
    INSERT INTO day_pass_days (type_id, date, capacity)
    SELECT t.id, ${date}::date, t.daily_capacity FROM day_pass_types t
    WHERE t.id = ${typeId}::uuid
      AND NOT EXISTS (SELECT FROM day_pass_days d WHERE d.type_id = t.id AND d.date = ${date}::date)
    FOR SHARE OF t
    ON CONFLICT DO NOTHING`;
}

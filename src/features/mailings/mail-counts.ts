import type { Context } from '../../context.ts';
import type { MailStatus } from '../../db/generated/enums.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';

const COUNT_MAILS = prepareStatement(`
  SELECT mailing_id AS "mailingId", status::text AS status, count(*)::int AS count FROM mails
  WHERE mailing_id = ANY ($1::uuid[]) GROUP BY mailing_id, mails.status`);

/** Counts the emails of mailings by status. */
export async function countMailsByStatus(
  ctx: Context,
  mailingIds: string[],
): Promise<Map<string, Partial<Record<MailStatus, number>>>> {
  if (mailingIds.length === 0) return new Map();
  const rows = await ctx.lockingSql<{ mailingId: string; status: MailStatus; count: number }>(
    COUNT_MAILS,
    [mailingIds],
  );
  const counts = new Map<string, Partial<Record<MailStatus, number>>>();
  for (const { mailingId, status, count } of rows)
    counts.set(mailingId, { ...counts.get(mailingId), [status]: count });
  return counts;
}

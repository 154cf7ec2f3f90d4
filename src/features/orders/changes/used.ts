import type { Ctx } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import type { Admission } from './end.ts';

/**
 * Those of an order that have let somebody in. Until the transaction ends none of its others does: who presents one waits
 * for it. Call it once the order is locked.
 */
export async function usedOf({ db }: Ctx, orderId: string): Promise<Set<string>> {
  // In the order of their ids, as those who present them lock them.
  await db.$queryRaw`SELECT 1 FROM tickets WHERE order_id = ${orderId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT 1 FROM day_passes WHERE order_id = ${orderId}::uuid ORDER BY id FOR NO KEY UPDATE`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM tickets t WHERE order_id = ${orderId}::uuid
      AND EXISTS (SELECT FROM check_ins c WHERE c.ticket_id = t.id AND c.result = 'admitted')
    UNION ALL
    SELECT id FROM day_passes p WHERE order_id = ${orderId}::uuid
      AND EXISTS (SELECT FROM check_ins c WHERE c.day_pass_id = p.id AND c.result = 'admitted')`;
  return new Set(rows.map(({ id }) => id));
}

export const alreadyUsed = (admissions: Pick<Admission, 'kind'>[], what: string) =>
  new DomainError('CONFLICT', `${subjectOf(admissions)} let somebody in already: ${what}`, {
    reason: 'ALREADY_USED',
  });

function subjectOf([one, ...others]: Pick<Admission, 'kind'>[]): string {
  if (others.length > 0) return 'These have';
  return one?.kind === 'pass' ? 'This day pass has' : 'This ticket has';
}

import type { Ctx } from '../../context.ts';
import type { Order as Row } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';

export type LockedOrder = Pick<
  Row,
  'id' | 'status' | 'eventId' | 'currency' | 'totalAmount' | 'expiresAt'
>;

/**
 * The order's row, for nobody else to change until this transaction ends. Orders are locked before the stock that they
 * hold. Throws NOT_FOUND.
 */
export async function lockOrder({ db }: Ctx, id: string): Promise<LockedOrder> {
  if (!isUuid(id)) throw notFound('order');
  const [row] = await db.$queryRaw<LockedOrder[]>`
    SELECT id, status, event_id AS "eventId", currency, total_amount AS "totalAmount", expires_at AS "expiresAt"
    FROM orders WHERE id = ${id}::uuid FOR UPDATE`;
  if (row === undefined) throw notFound('order');
  return row;
}

import type { Ctx } from '../../context.ts';
import type { Order as Row } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';

/**
 * The order's row, for nobody else to change until this transaction ends. Orders are locked before the stock that they
 * hold. Throws NOT_FOUND.
 */
export async function lockOrder({ db }: Ctx, id: string): Promise<Row> {
  if (!isUuid(id)) throw notFound('order');
  await db.$queryRaw`SELECT 1 FROM orders WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await db.order.findUnique({ where: { id } });
  if (row === null) throw notFound('order');
  return row;
}

import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { Person } from './person.ts';

// Open disputes are few, so they are looked up first.
const FIND_DISPUTED_ORDERS = prepareStatement(`
  SELECT DISTINCT o.code FROM disputes d JOIN orders o ON o.id = d.order_id
  WHERE d.status = 'open' AND (o.id = ANY ($1::uuid[])
    OR EXISTS (SELECT FROM tickets t WHERE t.order_id = o.id AND t.id = ANY ($2::uuid[]))
    OR EXISTS (SELECT FROM day_passes p WHERE p.order_id = o.id AND p.id = ANY ($3::uuid[])))
  ORDER BY o.code`);

/**
 * Finds the orders of a person, and those with a ticket or a day pass of theirs, whose payment is disputed now. Whoever answers the bank
 * needs to know who bought and who came, which no order says after an erasure.
 *
 * @returns the codes of the orders
 */
export async function findDisputedOrders(
  { pipelinedSql }: Context,
  { parameters: { orders, tickets, passes } }: Person,
): Promise<string[]> {
  const rows = await pipelinedSql<{ code: string }>(FIND_DISPUTED_ORDERS, [
    orders,
    tickets,
    passes,
  ]);
  return rows.map(({ code }) => code);
}

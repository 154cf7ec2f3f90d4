import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toPossibleCodes } from '../../../core/ids.ts';
import type { PaymentMethod } from '../../../db/generated/enums.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { matchText } from '../../../db/text-search.ts';
import { type ListScope, matchEnum, type RowList } from '../../../lists/row-list.ts';
import type { OrderStatus } from '../rows.ts';
import type { Order } from '../types.ts';
import { findOrdersByIds } from './find-orders.ts';

export interface OrderFilter {
  eventId?: string | undefined;
  memberId?: string | undefined;
  status?: readonly OrderStatus[] | undefined;
  /** Only orders with a payment that was made in one of these ways. */
  paidBy?: readonly PaymentMethod[] | undefined;
  /** True: only orders with an open dispute. False: all others. */
  disputed?: boolean | undefined;
  /** Only orders placed in [from, to). */
  from?: Date | undefined;
  to?: Date | undefined;
  /**
   * The code of an order, a ticket or a day pass, or part of the buyer's name or email address. One or two letters must be
   * the beginning of a word.
   */
  q?: string | undefined;
}

/** Orders, newest first. Members see only their own. */
export const orderList: RowList<Order, OrderFilter, 'CREATED_AT'> = {
  name: 'orders',
  table: 'orders',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of ordering' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  sharedQueryPlans: { CREATED_AT: ['from', 'to'] },
  where: (row, filter, { viewer, bind }) => [
    ...toVisibleOrderConditions(row, viewer, bind),
    ...toFilterConditions(row, filter, bind),
  ],
  findByIds: (ctx, ids) => findOrdersByIds(ctx, ids),
};

/** Finds orders by id, for fields that lead to one order. Leaves out those that the viewer does not see. */
export const visibleOrders = {
  table: 'orders',
  where: (row: string, _: object, { viewer, bind }: ListScope) =>
    toVisibleOrderConditions(row, viewer, bind),
  findByIds: async (ctx: Context, ids: string[]): Promise<Order[]> => {
    const { viewer } = ctx;
    if (!canSeeAll(viewer, 'orders:read') && viewer.kind !== 'member') return [];
    const orders = await findOrdersByIds(ctx, ids);
    return viewer.kind === 'member'
      ? orders.filter(({ memberId }) => memberId === viewer.id)
      : orders;
  },
};

/** Returns the conditions on a row of `orders`: staff and tokens with orders:read see all, members their own. */
function toVisibleOrderConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  if (canSeeAll(viewer, 'orders:read')) return [];
  return viewer.kind === 'member' ? [`${row}.member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}

/** Returns the conditions on a row with an `order_id`, which is visible if its order is. */
export function toOrderVisibleConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  const conditions = toVisibleOrderConditions('owned', viewer, bind);
  return conditions.map((condition) =>
    condition === 'false'
      ? condition
      : `${row}.order_id IN (SELECT owned.id FROM orders owned WHERE ${condition})`,
  );
}

function toFilterConditions(row: string, filter: OrderFilter, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.eventId) conditions.push(`${row}.event_id = ${bind(filter.eventId, 'uuid')}`);
  if (filter.memberId) conditions.push(`${row}.member_id = ${bind(filter.memberId, 'uuid')}`);
  if (filter.status) conditions.push(matchEnum(`${row}.status`, filter.status));
  if (filter.paidBy)
    conditions.push(
      `EXISTS (SELECT FROM payments paid WHERE paid.order_id = ${row}.id AND ${matchEnum('paid.method', filter.paidBy)})`,
    );
  // Open disputes are few, so they are looked up before the list.
  if (filter.disputed !== undefined)
    conditions.push(
      `${filter.disputed ? '' : 'NOT '}${row}.id = ANY (ARRAY(SELECT order_id FROM disputes WHERE status = 'open'))`,
    );
  if (filter.from) conditions.push(`${row}.created_at >= ${bind(filter.from, 'timestamptz')}`);
  if (filter.to) conditions.push(`${row}.created_at < ${bind(filter.to, 'timestamptz')}`);
  if (filter.q) conditions.push(matchCodeOrBuyer(row, filter.q, bind));
  return conditions;
}

/** The codes that a search can mean: as typed, and as a scanner with another layout means it. */
export const toScannedCodes = (q: string): string[] => toPossibleCodes(q.toUpperCase());

// Codes are looked up before the list: as a condition on each order, no index could serve them.
function matchCodeOrBuyer(row: string, q: string, bind: Bind): string {
  const codes = `ANY (${bind(toScannedCodes(q), 'text[]')})`;
  const found = `ARRAY(SELECT id FROM orders WHERE code = ${codes}
    UNION ALL SELECT order_id FROM tickets WHERE code = ${codes}
    UNION ALL SELECT order_id FROM day_passes WHERE code = ${codes})`;
  const matches = matchText([`${row}.buyer_name`, `${row}.buyer_email`], q, bind);
  return `(${row}.id = ANY (${found}) OR ${matches})`;
}

import { type Ctx, inTransaction } from '../../../context.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import {
  createdPosition,
  newestFirst,
  olderThan,
  type Page,
  type PageRequest,
  pageOf,
} from '../../../page.ts';
import type { Provider } from '../../../payments/port.ts';
import { isUuid, type Money } from '../../../values.ts';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Money that goes back to a buyer. */
export interface Refund {
  id: string;
  amount: Money;
  reason: string | null;
  status: RefundStatus;
  /** Why the last attempt failed. */
  lastError: string | null;
  provider: Provider;
  orderCode: string;
  createdAt: Date;
  completedAt: Date | null;
}

/** Newest first. */
export async function list(
  { db }: Ctx,
  { status }: { status?: RefundStatus | undefined },
  page: PageRequest,
): Promise<Page<Refund>> {
  const rows = await db.refund.findMany({
    ...FULL,
    where: { AND: [status ? { status } : {}, olderThan(page)] },
    orderBy: newestFirst,
    take: page.limit + 1,
  });
  return pageOf(rows.map(toRefund), page.limit, createdPosition);
}

/**
 * Staff gave the money back by other means. Said twice it stays as it is. Throws NOT_FOUND, and CONFLICT where the
 * provider is still about to do it.
 */
export const settle = (ctx: Ctx, id: string): Promise<Refund> =>
  inTransaction(ctx, async (ctx) => {
    const refund = await locked(ctx, id);
    if (refund.status === 'succeeded') return refund;
    const { provider } = ctx.payments;
    if (
      refund.status === 'pending' &&
      refund.provider !== 'on_site' &&
      refund.provider === provider
    ) {
      throw new DomainError(
        'CONFLICT',
        'The payment provider is about to give this money back. Settle it here only if that fails.',
        { reason: 'REFUND_UNDER_WAY' },
      );
    }
    // Its problem stays: it tells this one from what the provider has done.
    return write(ctx, id, { status: 'succeeded', completedAt: ctx.now() });
  });

/** Has the provider try again soon. Throws NOT_FOUND, and CONFLICT where it has not failed or nobody can. */
export const retry = (ctx: Ctx, id: string): Promise<Refund> =>
  inTransaction(ctx, async (ctx) => {
    const refund = await locked(ctx, id);
    if (refund.status !== 'failed') {
      throw new DomainError('CONFLICT', 'Only a refund that failed can be tried again.', {
        reason: 'REFUND_NOT_FAILED',
      });
    }
    if (refund.provider === 'on_site' || refund.provider !== ctx.payments.provider) {
      throw new DomainError(
        'CONFLICT',
        'No payment provider is configured that could give this money back. Give it back otherwise and settle the refund.',
        { reason: 'PROVIDER_ABSENT' },
      );
    }
    const retried = await write(ctx, id, {
      status: 'pending',
      attempts: 0,
      nextAttemptAt: ctx.now(),
    });
    await ctx.wake?.(ctx, 'payments.refund');
    return retried;
  });

async function locked({ db }: Ctx, id: string): Promise<Refund> {
  if (!isUuid(id)) throw notFound('refund');
  await db.$queryRaw`SELECT 1 FROM refunds WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await db.refund.findUnique({ ...FULL, where: { id } });
  if (row === null) throw notFound('refund');
  return toRefund(row);
}

const write = async ({ db }: Ctx, id: string, data: Prisma.RefundUpdateInput) =>
  toRefund(await db.refund.update({ ...FULL, where: { id }, data }));

const FULL = {
  include: {
    order: { select: { code: true } },
    payment: { select: { provider: true, currency: true } },
  },
} as const;

const toRefund = ({
  amount,
  order,
  payment,
  ...row
}: Prisma.RefundGetPayload<typeof FULL>): Refund => ({
  id: row.id,
  amount: { amount, currency: payment.currency },
  reason: row.reason,
  status: row.status,
  lastError: row.lastError,
  provider: payment.provider,
  orderCode: order.code,
  createdAt: row.createdAt,
  completedAt: row.completedAt,
});

/** Those of each of these orders, oldest first. */
export async function refundsOfOrders(
  { db }: Ctx,
  orderIds: string[],
): Promise<Map<string, Refund[]>> {
  const found = new Map<string, Refund[]>(orderIds.map((id) => [id, []]));
  const rows = await db.refund.findMany({
    ...FULL,
    where: { orderId: { in: orderIds } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  for (const row of rows) found.get(row.orderId)?.push(toRefund(row));
  return found;
}

import type { z } from 'zod';
import { projectFields } from '../../rows/projection.ts';
import { orderLimitColumns } from './rows.ts';

/** The limits as a row of their own. */
export const orderLimits = { table: 'events', columns: orderLimitColumns } as const;

/** Limits on the orders of an event, or of a day pass type on each date. `docs/order-limits.md` explains them. */
export type OrderLimits = {
  [Name in keyof typeof orderLimitColumns]: z.output<(typeof orderLimitColumns)[Name]['schema']>;
};

/** Projects the limits in the columns of a row. */
export const toOrderLimitsProjection = (row: string) => projectFields(orderLimits, row);

/** The default for `confirmFreeOrders`: required up to this many seats. */
const MAX_SMALL_CAPACITY = 100;

/** Whether anonymous buyers must confirm free orders. `capacity` is null if unlimited. */
export const requiresConfirmation = (
  { confirmFreeOrders }: OrderLimits,
  capacity: number | null,
): boolean => confirmFreeOrders ?? (capacity !== null && capacity <= MAX_SMALL_CAPACITY);

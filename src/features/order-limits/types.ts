import type { Projection } from '../../db/json-projection.ts';
import { toChangeShape } from '../../rows/inputs.ts';
import { projectFields } from '../../rows/projection.ts';
import { ORDER_LIMITS, type OrderLimits } from './rows.ts';

export type { OrderLimits };

/** Projects the limits in the columns of a row. */
export const toOrderLimitsProjection = (row: string): Projection =>
  projectFields(ORDER_LIMITS, row);

/** The limits as input fields of events and day pass types. Null resets all but the window to their defaults. */
export const orderLimitFields = toChangeShape(ORDER_LIMITS);

/** The default for `confirmFreeOrders`: required up to this many seats. */
const MAX_SMALL_CAPACITY = 100;

/** Whether anonymous buyers must confirm free orders. `capacity` is null if unlimited. */
export const requiresConfirmation = (
  { confirmFreeOrders }: OrderLimits,
  capacity: number | null,
): boolean => confirmFreeOrders ?? (capacity !== null && capacity <= MAX_SMALL_CAPACITY);

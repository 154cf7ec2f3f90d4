import type { DayPassType } from '../../day-passes/service.ts';
import type { LimitedSale } from './subjects.ts';

/** As many as one person orders for a group. */
const DEFAULT_MAX_PASSES_PER_ORDER = 10;

/** Day passes of a type are counted for each date by itself. */
export const toPassSale = (type: DayPassType, validOn: string): LimitedSale => ({
  target: `${type.id} ${validOn}`,
  limits: type.limits,
  capacity: type.dailyCapacity,
  left: type.left,
  maxPerOrder: DEFAULT_MAX_PASSES_PER_ORDER,
});

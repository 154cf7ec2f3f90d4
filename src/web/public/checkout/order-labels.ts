import type { Money } from '../../../core/money.ts';
import { getText } from '../../language/page-texts.ts';

/** Returns what the button says that places an order. The total is null if nothing is selected yet. */
export function toOrderLabel(total: Money | null, isPaidOnSite: boolean): string {
  if (total === null || total.amount === 0) return getText('order.register');
  return getText(isPaidOnSite ? 'order.reserve' : 'order.orderAndPay');
}

const LOW_STOCK_COUNT = 5;

/** Whether so few are left that the page says how many. */
export const isLowStock = (left: number | null) => left !== null && left <= LOW_STOCK_COUNT;

import { formatBrowserDateTime } from '../../components/browser-time.tsx';
import { formatMoney } from '../../components/money.ts';
import { findSubject, toPlainText } from './change-labels.ts';
import type { Change } from './queries.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const AMOUNT = /(^|_)(amount|fee)$/;

/** A stored value as people read it: local times, and prices with their currency. */
export function formatValue(change: Change, field: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && INSTANT.test(value))
    return formatBrowserDateTime(new Date(value));
  if (typeof value === 'number' && AMOUNT.test(field)) {
    const currency = findCurrency(change);
    if (currency !== null) return formatMoney({ amount: value, currency });
  }
  return toPlainText(value);
}

function findCurrency(change: Change): string | null {
  const fields = Object.assign({}, change.before, change.after) as Record<string, unknown>;
  const stored = fields.currency ?? fields.price_currency;
  return typeof stored === 'string' ? stored : (findSubject(change)?.currency ?? null);
}

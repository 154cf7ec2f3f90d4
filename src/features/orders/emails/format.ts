import type { Money } from '../../../core/money.ts';
import { formatTimeRange } from '../../../core/time/format.ts';
import type { Order } from '../types.ts';

const decimalsByCurrency = new Map<string, number>();

function getCurrencyDecimals(currency: string): number {
  const format = () => new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals =
    decimalsByCurrency.get(currency) ?? format().resolvedOptions().maximumFractionDigits ?? 2;
  decimalsByCurrency.set(currency, decimals);
  return decimals;
}

/** "12.50 EUR", with as many decimals as the currency has. */
export function formatMoney({ amount, currency }: Money): string {
  const decimals = getCurrencyDecimals(currency);
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

/** What an order is for, where and when. */
export interface OrderSubject {
  title: string;
  lines: string[];
}

export function toOrderSubject({ event, locationName, items }: Order): OrderSubject {
  if (event) {
    return toEventSubject({
      ...event,
      place: event.location.name,
      address: event.location.address,
    });
  }
  const [item] = items;
  return toDayPassSubject({
    name: item?.dayPassType?.name ?? 'Day pass',
    validOn: item?.validOn ?? '',
    place: locationName,
  });
}

export const toEventSubject = (event: {
  title: string;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  place: string;
  address: string | null;
}): OrderSubject => ({
  title: event.title,
  lines: [
    formatTimeRange(Date.parse(event.startsAt), Date.parse(event.endsAt), event.timeZone),
    [event.place, event.address].filter(Boolean).join(', '),
  ],
});

export const toDayPassSubject = (pass: {
  name: string;
  validOn: string;
  place: string | null;
}): OrderSubject => ({
  title: `${pass.name}, ${pass.validOn}`,
  lines: [pass.place ?? ''].filter(Boolean),
});

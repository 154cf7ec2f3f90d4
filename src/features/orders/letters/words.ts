import type { Money } from '../../../values.ts';
import { stretch } from '../../bookings/policy/words.ts';
import type { Order } from '../order.ts';

const known = new Map<string, number>();

function decimalsOf(currency: string): number {
  const format = () => new Intl.NumberFormat('en', { style: 'currency', currency });
  const decimals = known.get(currency) ?? format().resolvedOptions().maximumFractionDigits ?? 2;
  known.set(currency, decimals);
  return decimals;
}

/** "12.50 EUR", with as many decimals as the currency has. */
export function inMoney({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency);
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`;
}

/** What an order is for, where and when. */
export interface Occasion {
  title: string;
  lines: string[];
}

export function occasionOf({ event, placeName, items }: Order): Occasion {
  if (event) {
    return eventOccasion({ ...event, place: event.location.name, address: event.location.address });
  }
  const [item] = items;
  return passOccasion({
    name: item?.dayPassType?.name ?? 'Day pass',
    validOn: item?.validOn ?? '',
    place: placeName,
  });
}

export const eventOccasion = (event: {
  title: string;
  startsAt: string;
  endsAt: string;
  timeZone: string;
  place: string;
  address: string | null;
}): Occasion => ({
  title: event.title,
  lines: [
    stretch(Date.parse(event.startsAt), Date.parse(event.endsAt), event.timeZone),
    [event.place, event.address].filter(Boolean).join(', '),
  ],
});

export const passOccasion = (pass: {
  name: string;
  validOn: string;
  place: string | null;
}): Occasion => ({
  title: `${pass.name}, ${pass.validOn}`,
  lines: [pass.place ?? ''].filter(Boolean),
});

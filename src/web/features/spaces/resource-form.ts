import type { UseFormReturnType } from '@mantine/form';
import type { ResourceType } from '../../gql/graphql.ts';
import { asMajor, asMinor, isCurrency } from '../../ui/money.ts';
import type { ResourceDetails } from './resource-queries.ts';
import { problemWithSlug } from './slug.ts';

/** A number as its input holds it: empty text while there is none. */
type Amount = number | string;

export interface ResourceValues {
  name: string;
  slug: string;
  type: ResourceType;
  capacity: Amount;
  amenities: string[];
  price: Amount;
  currency: string;
  gridMinutes: Amount;
  minMinutes: Amount;
  maxMinutes: Amount;
  bufferMinutes: Amount;
  noticeMinutes: Amount;
  daysAhead: Amount;
  freeCancellationHours: Amount;
  /** Empty: nobody loses a booking by coming late. */
  noShowMinutes: Amount;
  requiresApproval: boolean;
  active: boolean;
}

export type ResourceFormState = UseFormReturnType<ResourceValues>;

/** The usual rules, as the service has them. */
export const newResource: ResourceValues = {
  name: '',
  slug: '',
  type: 'ROOM',
  capacity: 4,
  amenities: [],
  price: 0,
  currency: 'EUR',
  gridMinutes: 15,
  minMinutes: 30,
  maxMinutes: 480,
  bufferMinutes: 0,
  noticeMinutes: 0,
  daysAhead: 365,
  freeCancellationHours: 0,
  noShowMinutes: '',
  requiresApproval: false,
  active: true,
};

export function valuesOf({ pricePerHour, noShowMinutes, ...rest }: ResourceDetails) {
  const { id: _, ...rules } = rest;
  return {
    ...rules,
    price: asMajor(pricePerHour),
    currency: pricePerHour.currency,
    noShowMinutes: noShowMinutes ?? '',
  } satisfies ResourceValues;
}

const needed = (amount: Amount) => (amount === '' ? 'Fill this in; 0 is a number, too' : null);
const onGrid = (amount: Amount, { gridMinutes }: ResourceValues) =>
  needed(amount) ??
  (Number(amount) % Number(gridMinutes) === 0 ? null : `A multiple of ${gridMinutes} minutes`);

export const validateResource = {
  name: (name: string) => (name.trim() ? null : 'Give it a name'),
  slug: problemWithSlug,
  capacity: needed,
  price: needed,
  currency: (code: string) => (isCurrency(code) ? null : 'Three letters'),
  gridMinutes: (amount: Amount) => (Number(amount) > 0 ? null : 'At least one minute'),
  minMinutes: onGrid,
  maxMinutes: (amount: Amount, values: ResourceValues) =>
    onGrid(amount, values) ??
    (Number(amount) < Number(values.minMinutes) ? 'Not shorter than the shortest' : null),
  bufferMinutes: needed,
  noticeMinutes: needed,
  daysAhead: needed,
  freeCancellationHours: needed,
};

/** What creating and changing have in common. */
export const inputOf = ({ price, currency, slug: _, active: __, ...values }: ResourceValues) => ({
  name: values.name.trim(),
  type: values.type,
  amenities: values.amenities,
  requiresApproval: values.requiresApproval,
  pricePerHour: { amount: asMinor(Number(price), currency), currency },
  capacity: Number(values.capacity),
  gridMinutes: Number(values.gridMinutes),
  minMinutes: Number(values.minMinutes),
  maxMinutes: Number(values.maxMinutes),
  bufferMinutes: Number(values.bufferMinutes),
  noticeMinutes: Number(values.noticeMinutes),
  daysAhead: Number(values.daysAhead),
  freeCancellationHours: Number(values.freeCancellationHours),
  noShowMinutes: values.noShowMinutes === '' ? null : Number(values.noShowMinutes),
});

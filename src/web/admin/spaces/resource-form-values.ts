import type { UseFormReturnType } from '@mantine/form';
import {
  type NumberInputValue,
  type PriceValues,
  priceValidators,
  toMoneyInput,
  toNumberOrNull,
  toPriceValues,
  validateSlug,
} from '../../components/FieldGroups.tsx';
import type { ResourceType } from '../../gql/graphql.ts';
import type { ResourceDetails } from './resource-queries.ts';

export interface ResourceFormValues extends PriceValues {
  name: string;
  slug: string;
  type: ResourceType;
  capacity: NumberInputValue;
  amenities: string[];
  gridMinutes: NumberInputValue;
  minMinutes: NumberInputValue;
  maxMinutes: NumberInputValue;
  bufferMinutes: NumberInputValue;
  noticeMinutes: NumberInputValue;
  daysAhead: NumberInputValue;
  freeCancellationHours: NumberInputValue;
  /** Blank means that no-shows are never released. */
  noShowMinutes: NumberInputValue;
  requiresApproval: boolean;
  active: boolean;
}

export type ResourceFormState = UseFormReturnType<ResourceFormValues>;

/** The defaults of the service. */
export const NEW_RESOURCE_VALUES: ResourceFormValues = {
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

export function toResourceFormValues({ pricePerHour, noShowMinutes, ...rest }: ResourceDetails) {
  const { id: _, ...fields } = rest;
  return {
    ...fields,
    ...toPriceValues(pricePerHour),
    noShowMinutes: noShowMinutes ?? '',
  } satisfies ResourceFormValues;
}

const requireNumber = (amount: NumberInputValue) =>
  amount === '' ? 'Enter a number (0 is allowed)' : null;
const requireMultipleOfInterval = (amount: NumberInputValue, { gridMinutes }: ResourceFormValues) =>
  requireNumber(amount) ??
  (Number(amount) % Number(gridMinutes) === 0
    ? null
    : `Enter a multiple of ${gridMinutes} minutes`);

export const resourceValidators = {
  name: (name: string) => (name.trim() ? null : 'Enter a name'),
  slug: validateSlug,
  capacity: requireNumber,
  ...priceValidators,
  gridMinutes: (amount: NumberInputValue) =>
    Number(amount) > 0 ? null : 'Enter at least 1 minute',
  minMinutes: requireMultipleOfInterval,
  maxMinutes: (amount: NumberInputValue, values: ResourceFormValues) =>
    requireMultipleOfInterval(amount, values) ??
    (Number(amount) < Number(values.minMinutes) ? 'Enter at least the shortest booking' : null),
  bufferMinutes: requireNumber,
  noticeMinutes: requireNumber,
  daysAhead: requireNumber,
  freeCancellationHours: requireNumber,
};

/** The fields that create and update share. */
export const toResourceInput = ({
  price,
  currency,
  slug: _,
  active: __,
  ...values
}: ResourceFormValues) => ({
  name: values.name.trim(),
  type: values.type,
  amenities: values.amenities,
  requiresApproval: values.requiresApproval,
  pricePerHour: toMoneyInput({ price, currency }),
  capacity: Number(values.capacity),
  gridMinutes: Number(values.gridMinutes),
  minMinutes: Number(values.minMinutes),
  maxMinutes: Number(values.maxMinutes),
  bufferMinutes: Number(values.bufferMinutes),
  noticeMinutes: Number(values.noticeMinutes),
  daysAhead: Number(values.daysAhead),
  freeCancellationHours: Number(values.freeCancellationHours),
  noShowMinutes: toNumberOrNull(values.noShowMinutes),
});

import type { UseFormReturnType } from '@mantine/form';
import type { PlanInterval, ResourceType } from '../../gql/graphql.ts';
import { asMajor, asMinor, isCurrency } from '../../ui/money.ts';
import type { Plan } from './queries.ts';

type Amount = number | string;

export interface BenefitValues {
  includedHours: Amount;
  discountPercent: Amount;
  /** Empty: as much as they like. */
  limitHours: Amount;
}

export interface PlanValues {
  name: string;
  price: Amount;
  currency: string;
  interval: PlanInterval;
  active: boolean;
  benefits: Record<ResourceType, BenefitValues>;
}

export type PlanFormState = UseFormReturnType<PlanValues>;

const TYPES: ResourceType[] = ['ROOM', 'DESK', 'EQUIPMENT'];

export const valuesOf = (plan: Plan | undefined): PlanValues => ({
  name: plan?.name ?? '',
  price: plan ? asMajor(plan.price) : '',
  currency: plan?.price.currency ?? 'EUR',
  interval: plan?.interval ?? 'MONTH',
  active: plan?.active ?? true,
  benefits: Object.fromEntries(TYPES.map((type) => [type, benefitOf(plan, type)])) as Record<
    ResourceType,
    BenefitValues
  >,
});

function benefitOf(plan: Plan | undefined, type: ResourceType): BenefitValues {
  const known = plan?.benefits.find(({ resourceType }) => resourceType === type);
  return {
    includedHours: known?.includedHours ?? 0,
    discountPercent: known?.discountPercent ?? 0,
    limitHours: known?.limitHours ?? '',
  };
}

export const validatePlan = {
  name: (name: string) => (name.trim() ? null : 'Give it a name'),
  price: (price: Amount) => (price === '' ? 'Fill in the price; 0 is one, too' : null),
  currency: (code: string) => (isCurrency(code) ? null : 'Three letters'),
  benefits: Object.fromEntries(TYPES.map((type) => [type, { limitHours: problemWithLimit(type) }])),
};

function problemWithLimit(type: ResourceType) {
  return (limit: Amount, { benefits }: PlanValues) =>
    limit !== '' && Number(limit) < Number(benefits[type].includedHours)
      ? 'Not less than what is included'
      : null;
}

export const inputOf = ({ price, currency, name, interval, benefits }: PlanValues) => ({
  name: name.trim(),
  interval,
  price: { amount: asMinor(Number(price), currency), currency },
  benefits: benefitsOf(benefits),
});

/** What means nothing is left out. */
export const benefitsOf = (benefits: PlanValues['benefits']): Plan['benefits'] =>
  TYPES.map((resourceType) => {
    const { includedHours, discountPercent, limitHours } = benefits[resourceType];
    return {
      resourceType,
      includedHours: Number(includedHours),
      discountPercent: Number(discountPercent),
      limitHours: limitHours === '' ? null : Number(limitHours),
    };
  }).filter((one) => one.includedHours > 0 || one.discountPercent > 0 || one.limitHours !== null);

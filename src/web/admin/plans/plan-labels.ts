import { formatMoney } from '../../components/money.ts';
import type { PlanInterval, ResourceType } from '../../gql/graphql.ts';
import type { Plan } from './queries.ts';

export const INTERVAL_OPTIONS: { value: PlanInterval; label: string }[] = [
  { value: 'MONTH', label: 'a month' },
  { value: 'QUARTER', label: 'a quarter' },
  { value: 'YEAR', label: 'a year' },
];

export const formatPlanPrice = ({ price, interval }: Plan) =>
  `${formatMoney(price)} ${INTERVAL_OPTIONS.find(({ value }) => value === interval)?.label}`;

const RESOURCE_TYPE_NOUNS: Record<ResourceType, string> = {
  ROOM: 'rooms',
  DESK: 'desks',
  EQUIPMENT: 'equipment',
};

/** "10 h of rooms included, then 20 % off, at most 40 h a month" */
export function formatBenefit(benefit: Plan['benefits'][number]): string {
  const { resourceType, includedHours, discountPercent, limitHours } = benefit;
  const noun = RESOURCE_TYPE_NOUNS[resourceType];
  const then = discountPercent > 0 ? `${discountPercent} % off` : 'the public price';
  const limit = limitHours === null ? '' : `, at most ${limitHours} h a month`;
  if (includedHours > 0 && limitHours === includedHours)
    return `${includedHours} h of ${noun} included, and no more than that`;
  if (includedHours > 0) return `${includedHours} h of ${noun} included, then ${then}${limit}`;
  if (discountPercent > 0) return `${discountPercent} % off ${noun}${limit}`;
  return limitHours === null
    ? `${noun} at the public price`
    : `${noun} at the public price${limit}`;
}

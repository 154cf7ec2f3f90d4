import { formatMoney } from '../../components/money.ts';
import type { PlanInterval } from '../../gql/graphql.ts';
import { formatResourceTypePlural } from '../spaces/resource-labels.ts';
import type { Plan } from './queries.ts';

export const INTERVAL_OPTIONS: { value: PlanInterval; label: string; rate: string }[] = [
  { value: 'MONTH', label: 'Month', rate: 'per month' },
  { value: 'QUARTER', label: 'Quarter', rate: 'per quarter' },
  { value: 'YEAR', label: 'Year', rate: 'per year' },
];

export const formatPlanPrice = ({ price, interval }: Plan) =>
  `${formatMoney(price)} ${INTERVAL_OPTIONS.find(({ value }) => value === interval)?.rate}`;

/** "10 h of rooms included, then 20% off, up to 40 h per month" */
export function formatBenefit(benefit: Plan['benefits'][number]): string {
  const { resourceType, includedHours, discountPercent, limitHours } = benefit;
  const noun = formatResourceTypePlural(resourceType).toLowerCase();
  const rate = discountPercent > 0 ? `${discountPercent}% off` : 'the public price';
  const limit = limitHours === null ? '' : `, up to ${limitHours} h per month`;
  if (includedHours > 0 && limitHours === includedHours) {
    return `${includedHours} h of ${noun} included, nothing beyond that`;
  }
  if (includedHours > 0) return `${includedHours} h of ${noun} included, then ${rate}${limit}`;
  if (discountPercent > 0) return `${discountPercent}% off ${noun}${limit}`;
  return `${noun} at the public price${limit}`;
}

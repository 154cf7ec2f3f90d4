import { formatMoney, type Money } from '../../components/money.ts';
import type { PlanInterval, ResourceType } from '../../gql/graphql.ts';
import { formatResourceTypePlural } from '../spaces/resource-labels.ts';

export const INTERVAL_OPTIONS: { value: PlanInterval; label: string; rate: string }[] = [
  { value: 'MONTH', label: 'Month', rate: 'per month' },
  { value: 'QUARTER', label: 'Quarter', rate: 'per quarter' },
  { value: 'YEAR', label: 'Year', rate: 'per year' },
];

export const formatPlanPrice = ({ price, interval }: { price: Money; interval: PlanInterval }) =>
  `${formatMoney(price)} ${INTERVAL_OPTIONS.find(({ value }) => value === interval)?.rate}`;

interface Benefit {
  resourceType: ResourceType;
  includedHours: number;
  discountPercent: number;
  limitHours: number | null;
}

/** "Unlimited desks", "10 h of rooms included, then 20% off, up to 40 h per month" */
export function formatBenefit(benefit: Benefit): string {
  const { resourceType, discountPercent, limitHours } = benefit;
  const isFree = discountPercent === 100;
  // What is free up to a limit is included.
  const includedHours = isFree && limitHours !== null ? limitHours : benefit.includedHours;
  const noun = formatResourceTypePlural(resourceType).toLowerCase();
  const rate = discountPercent > 0 ? `${discountPercent}% off` : 'the public price';
  const limit = limitHours === null ? '' : `, up to ${limitHours} h per month`;
  if (isFree && limitHours === null) return `Unlimited ${noun}`;
  if (includedHours > 0 && limitHours === includedHours) {
    return `${includedHours} h of ${noun} included, nothing beyond that`;
  }
  if (includedHours > 0) return `${includedHours} h of ${noun} included, then ${rate}${limit}`;
  if (discountPercent > 0) return `${discountPercent}% off ${noun}${limit}`;
  return `${noun} at the public price${limit}`;
}

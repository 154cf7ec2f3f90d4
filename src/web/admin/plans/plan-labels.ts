import type { Money } from '../../../core/money.ts';
import { formatMoney } from '../../components/money.ts';
import type { PlanInterval, ResourceType } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';

export const INTERVAL_OPTIONS: { value: PlanInterval; label: string }[] = [
  { value: 'MONTH', label: 'Month' },
  { value: 'QUARTER', label: 'Quarter' },
  { value: 'YEAR', label: 'Year' },
];

const RATE_KEYS = {
  MONTH: 'plan.perMonth',
  QUARTER: 'plan.perQuarter',
  YEAR: 'plan.perYear',
} as const satisfies Record<PlanInterval, string>;

export const formatPlanPrice = ({ price, interval }: { price: Money; interval: PlanInterval }) =>
  getMemberText(RATE_KEYS[interval], { money: formatMoney(price) });

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
  const resources = getMemberText(`benefit.noun.${resourceType}`);
  if (isFree && limitHours === null) return getMemberText('benefit.unlimited', { resources });
  if (includedHours > 0 && limitHours === includedHours)
    return getMemberText('benefit.includedOnly', { resources, hours: includedHours });
  const terms = formatTerms({ resources, includedHours, discountPercent });
  return limitHours === null
    ? terms
    : getMemberText('benefit.upTo', { benefit: terms, hours: limitHours });
}

function formatTerms({
  resources,
  includedHours,
  discountPercent,
}: {
  resources: string;
  includedHours: number;
  discountPercent: number;
}): string {
  const discount = { percent: discountPercent };
  if (includedHours > 0) {
    const rate =
      discountPercent > 0
        ? getMemberText('benefit.discountRate', discount)
        : getMemberText('benefit.publicRate');
    return getMemberText('benefit.included', { resources, hours: includedHours, rate });
  }
  return discountPercent > 0
    ? getMemberText('benefit.discount', { resources, ...discount })
    : getMemberText('benefit.publicPrice', { resources });
}

import { formatMoney, type Money } from '../../core/money.ts';
import { DomainError } from '../../errors.ts';
import type { PaymentProvider } from './provider.ts';

interface Payments {
  payments: Pick<PaymentProvider, 'findChargeProblem'>;
}

/**
 * Checks that the payment provider charges the total of an order.
 * @throws VALIDATION (BELOW_MINIMUM_CHARGE or AMOUNT_NOT_CHARGEABLE)
 */
export function requireChargeableTotal({ payments }: Payments, total: Money): void {
  const problem = total.amount === 0 ? null : payments.findChargeProblem?.(total);
  if (problem?.kind === 'too_small') {
    throw new DomainError(
      'VALIDATION',
      `The total is ${formatMoney(total)}, and the minimum for online payments is ${formatMoney(problem.smallest)}. Order more, or ask at the front desk.`,
      { reason: 'BELOW_MINIMUM_CHARGE', minimum: problem.smallest },
    );
  }
  if (problem?.kind === 'too_fine') {
    throw new DomainError(
      'VALIDATION',
      `The total of ${formatMoney(total)} cannot be paid online, because it is not a multiple of ${formatMoney(problem.step)}. Ask at the front desk.`,
      { reason: 'AMOUNT_NOT_CHARGEABLE', step: problem.step },
    );
  }
}

/**
 * Checks that the payment provider can charge a price that staff enter. Prices below its minimum pass, since people can order
 * several.
 * @throws VALIDATION (AMOUNT_NOT_CHARGEABLE)
 */
export function requireChargeablePrice({ payments }: Payments, price: Money | undefined): void {
  const problem = price && price.amount > 0 ? payments.findChargeProblem?.(price) : null;
  if (!price || problem?.kind !== 'too_fine') return;
  throw new DomainError(
    'VALIDATION',
    `price.amount: The payment provider cannot charge ${formatMoney(price)}. Choose a multiple of ${formatMoney(problem.step)}.`,
    { reason: 'AMOUNT_NOT_CHARGEABLE', fields: ['price.amount'], step: problem.step },
  );
}

/**
 * Finds the smallest number of items of this price that the payment provider charges together, at most `max`. Returns null if there is
 * none.
 */
export function findSmallestChargeableQuantity(
  { payments }: Payments,
  { amount, currency }: Money,
  max: number,
): number | null {
  if (amount === 0 || !payments.findChargeProblem) return 1;
  for (let quantity = 1; quantity <= max; quantity += 1)
    if (payments.findChargeProblem({ amount: amount * quantity, currency }) === null)
      return quantity;
  return null;
}

/**
 * Checks that the payment provider can return an amount that staff enter.
 * @throws VALIDATION (AMOUNT_NOT_CHARGEABLE)
 */
export function requireRefundableAmount({ payments }: Payments, refund: Money): void {
  const problem = refund.amount > 0 ? payments.findChargeProblem?.(refund) : null;
  if (problem?.kind !== 'too_fine') return;
  throw new DomainError(
    'VALIDATION',
    `amount: The payment provider cannot return ${formatMoney(refund)}. Choose a multiple of ${formatMoney(problem.step)}.`,
    { reason: 'AMOUNT_NOT_CHARGEABLE', fields: ['amount'], step: problem.step },
  );
}

/** Returns of what amounts must be a multiple, in minor units, so that the payment provider can charge and return them. */
export function findAmountStep({ payments }: Payments, currency: string): number {
  const problem = payments.findChargeProblem?.({ amount: 1, currency });
  return problem?.kind === 'too_fine' ? problem.step.amount : 1;
}

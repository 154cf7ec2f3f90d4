/** What a code takes off: so many percent, or so many minor units of one order. */
interface Reduction {
  percent: number | null;
  amount: number | null;
}

/**
 * What is taken off the sum of these amounts, in minor units, and what each of them costs then. A percentage is rounded
 * once, half up, on the sum; what is taken off is spread by share, so that the parts always add up to the whole.
 */
export function discountOn(
  { percent, amount }: Reduction,
  amounts: number[],
): { discount: number; amounts: number[] } {
  const sum = amounts.reduce((total, one) => total + one, 0);
  const discount = Math.min(sum, percent === null ? (amount ?? 0) : roundedShare(sum, percent));
  if (discount === 0) return { discount, amounts };
  // Each part ends where its share of the running sum ends: what is rounded away goes to the next one.
  let before = 0;
  let taken = 0;
  const reduced = amounts.map((one) => {
    before += one;
    const until = Number((BigInt(discount) * BigInt(before)) / BigInt(sum));
    const off = until - taken;
    taken = until;
    return one - off;
  });
  return { discount, amounts: reduced };
}

const roundedShare = (sum: number, percent: number) => Math.floor((sum * percent + 50) / 100);

/** Amounts are minor units, such as cents. */
export interface Money {
  amount: number;
  currency: string;
}

const formatOf = (currency: string) =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency });

/** How many digits stand behind the point: 2 for EUR, 0 for JPY. */
export const digitsOf = (currency: string) => {
  try {
    return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
};

export const asMajor = ({ amount, currency }: Money) => amount / 10 ** digitsOf(currency);

export const asMinor = (major: number, currency: string) =>
  Math.round(major * 10 ** digitsOf(currency));

export const moneyWords = (money: Money) => formatOf(money.currency).format(asMajor(money));

export const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text);

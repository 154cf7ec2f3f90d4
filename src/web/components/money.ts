/** Amounts are minor units, such as cents. */
export interface Money {
  amount: number;
  currency: string;
}

const createCurrencyFormat = (currency: string) =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency });

/** The number of decimal places: 2 for EUR, 0 for JPY. */
export const getCurrencyDigits = (currency: string) => {
  try {
    return createCurrencyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
};

export const toMajorUnits = ({ amount, currency }: Money) =>
  amount / 10 ** getCurrencyDigits(currency);

export const toMinorUnits = (major: number, currency: string) =>
  Math.round(major * 10 ** getCurrencyDigits(currency));

export const formatMoney = (money: Money) =>
  createCurrencyFormat(money.currency).format(toMajorUnits(money));

export const isCurrencyCode = (text: string) => /^[A-Z]{3}$/.test(text);

/** An amount in minor units, such as cents, with an ISO 4217 code. */
export interface Money {
  amount: number;
  currency: string;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount with the decimals of its currency: "€12.50", "CHF 12.50" or "¥1,250", and in German "12,50 €". */
export function formatMoney({ amount, currency }: Money, locale = 'en'): string {
  const key = `${locale} ${currency}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
  formats.set(key, format);
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

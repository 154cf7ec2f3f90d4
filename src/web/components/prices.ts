import type { Money } from '../../core/money.ts';
import { getText } from '../language/page-texts.ts';
import { formatMoney } from './money.ts';

// The service writes into pages for guests and members what prices say about tax. In the panel, they say nothing.

const TAX_NOTES = ['none', 'included', 'small_business'] as const;
export type TaxNote = (typeof TAX_NOTES)[number];

let taxNote: TaxNote = 'none';

/** Formats a price that a guest or member pays, with what the space says about tax: "€12.50 incl. VAT". */
export function formatPrice(price: Money): string {
  const money = formatMoney(price);
  if (taxNote === 'none' || price.amount === 0) return money;
  return getText(taxNote === 'included' ? 'price.taxIncluded' : 'price.smallBusiness', { money });
}

/** Sets what prices say. The service renders pages with it. */
export function setTaxNote(note: TaxNote): void {
  taxNote = note;
}

/** Reads what the service has written into the page. */
export function readTaxNote(page: Document): TaxNote {
  const content = page.querySelector<HTMLMetaElement>('meta[name="tax-note"]')?.content;
  return TAX_NOTES.find((note) => note === content) ?? 'none';
}

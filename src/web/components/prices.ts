import type { Money } from '../../core/money.ts';
import { getText } from '../language/page-texts.ts';
import { formatMoney } from './money.ts';

// The service writes into pages for guests and members what prices say about tax. In the panel, they say nothing.

export type TaxNote = 'none' | 'included';

let taxNote: TaxNote = 'none';

/** Formats a price that a guest or member pays, with what the space says about tax: "€12.50 incl. VAT". */
export function formatPrice(price: Money): string {
  const money = formatMoney(price);
  return taxNote === 'included' && price.amount > 0
    ? getText('price.taxIncluded', { money })
    : money;
}

/** Sets what prices say. The service renders pages with it. */
export function setTaxNote(note: TaxNote): void {
  taxNote = note;
}

/** Reads what the service has written into the page. */
export const readTaxNote = (page: Document): TaxNote =>
  page.querySelector<HTMLMetaElement>('meta[name="tax-note"]')?.content === 'included'
    ? 'included'
    : 'none';

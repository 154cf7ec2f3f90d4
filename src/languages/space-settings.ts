import type { TaxNote } from '../db/generated/enums.ts';
import type { Language } from './languages.ts';

/** What the space writes into pages, displays, kiosks and emails. */
export interface SpaceSettings {
  language: Language;
  /** Of the space, in the titles and previews of pages, and as the sender of emails. Null: it has none. */
  name: string | null;
  /** What prices for guests and members say about tax. */
  taxNote: TaxNote;
}

import { z } from 'zod';
import { spaceName as name } from '../../core/validation.ts';
import { DisputedAdmission, TaxNote } from '../../db/generated/enums.ts';
import { LANGUAGE_CODES } from '../../languages/languages.ts';

export const spaceLanguage = z.enum(LANGUAGE_CODES).meta({
  description: 'The language of displays, kiosks, public pages, the pages of members and emails',
});

export const taxNote = z.enum(TaxNote).meta({
  description: 'What prices for guests and members say about tax, in pages, emails and receipts',
});

export const disputedAdmission = z.enum(DisputedAdmission).meta({
  description: 'Whether tickets and day passes admit while the buyer disputes their payment',
});

export const spaceName = name.meta({
  description:
    'The name of the space, on one line: in the titles and previews of pages, and as the sender of emails',
});

import { z } from 'zod';
import { LANGUAGE_CODES } from '../../languages/languages.ts';

export const spaceLanguage = z.enum(LANGUAGE_CODES).meta({
  description: 'The language of displays, kiosks, public pages, the pages of members and emails',
});

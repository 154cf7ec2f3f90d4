import { z } from 'zod';
import { spaceName as name } from '../../core/validation.ts';
import { LANGUAGE_CODES } from '../../languages/languages.ts';

export const spaceLanguage = z.enum(LANGUAGE_CODES).meta({
  description: 'The language of displays, kiosks, public pages, the pages of members and emails',
});

export const spaceName = name.meta({
  description:
    'The name of the space, on one line: in the titles and previews of pages, and as the sender of emails',
});

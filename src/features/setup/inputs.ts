import { z } from 'zod';
import { boundedText, emailAddress, ignoreNull, personName } from '../../core/validation.ts';
import { spaceLanguage, spaceName } from '../settings/types.ts';

export const createFirstOwnerInput = z.object({
  code: boundedText(100).meta({
    description: 'The setup code that Foyer prints when it starts, with or without dashes',
  }),
  name: personName.meta({ description: 'The name of the owner' }),
  email: z
    .string()
    .trim()
    .pipe(emailAddress)
    .meta({ description: 'The address with which the owner signs in' }),
  password: z.string().min(1).max(1000).meta({ description: 'The password of the owner' }),
  language: spaceLanguage.optional(),
  spaceName: ignoreNull(spaceName),
});

import { z } from 'zod';
import { spaceLanguage, spaceName } from './types.ts';

export const updateSettingsInput = z
  .object({ language: spaceLanguage.optional(), name: spaceName.nullish() })
  .meta({ description: 'Omitted fields stay as they are; null clears name' });

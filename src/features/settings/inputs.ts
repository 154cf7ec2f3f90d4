import { z } from 'zod';
import { disputedAdmission, spaceLanguage, spaceName, taxNote } from './types.ts';

export const updateSettingsInput = z
  .object({
    language: spaceLanguage.optional(),
    name: spaceName.nullish(),
    taxNote: taxNote.optional(),
    disputedAdmission: disputedAdmission.optional(),
  })
  .meta({ description: 'Omitted fields stay as they are; null clears name' });

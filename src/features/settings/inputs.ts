import { z } from 'zod';
import { spaceLanguage } from './types.ts';

export const updateSettingsInput = z.object({ language: spaceLanguage });

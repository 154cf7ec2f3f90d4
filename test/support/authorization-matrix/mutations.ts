import { ACCOUNT_MUTATIONS } from './account-mutations.ts';
import type { Entry } from './callers.ts';
import { SALES_MUTATIONS } from './sales-mutations.ts';
import { SPACE_MUTATIONS } from './space-mutations.ts';

export const MUTATIONS: Record<string, Entry> = {
  ...ACCOUNT_MUTATIONS,
  ...SALES_MUTATIONS,
  ...SPACE_MUTATIONS,
};

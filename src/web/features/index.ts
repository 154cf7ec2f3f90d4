import type { Section } from '../shell/section.ts';
import { apiKeys } from './api-keys/section.ts';
import { displays } from './displays/section.ts';

/** What the panel offers, in the order of the navigation. A new noun is a folder and a line here. */
export const sections: Section[] = [displays, apiKeys];

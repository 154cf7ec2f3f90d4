import { isSecure } from '../auth/cookies.ts';
import type { Config } from '../config.ts';

/**
 * What every response carries. Over https, browsers then come by https alone for a year; without `includeSubDomains`,
 * since Foyer may share its domain with hosts that are not its business.
 */
export const commonHeaders = (config: Pick<Config, 'baseUrl'>): Record<string, string> =>
  isSecure(config) ? { 'strict-transport-security': 'max-age=31536000' } : {};

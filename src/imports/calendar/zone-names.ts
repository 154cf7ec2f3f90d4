import { findIana } from 'windows-iana';
import { isTimeZone } from '../../time.ts';

/** The IANA zone that a TZID means, in any of the spellings that calendars use, or null. */
export function ianaName(tzid: string): string | null {
  const name = tzid.trim().replace(/^"|"$/g, '');
  return spellings(name).find(isTimeZone) ?? findIana(name)[0] ?? null;
}

/** "/mozilla.org/20070129_1/Europe/Berlin" is Europe/Berlin, "tzone://Microsoft/Utc" is UTC. */
function spellings(name: string): string[] {
  if (!/^\/|:\/\//.test(name)) return [name];
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1].map((count) => parts.slice(-count).join('/'));
}

import { isTimeZone } from '../../core/time/time-zone.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

/** Finds the IANA zone of a TZID in any of the spellings that calendars use; null if it is unknown. */
export function findIanaName(tzid: string): string | null {
  const name = normalizeTzid(tzid);
  return (
    listSpellings(name).find(isTimeZone) ??
    ZONE_BY_WINDOWS_NAME.get(name.toLowerCase()) ??
    // Outlook numbers zones of the same name in one file: "W. Europe Standard Time 1".
    ZONE_BY_WINDOWS_NAME.get(name.toLowerCase().replace(/ \d+$/, '')) ??
    findByLongName(name) ??
    null
  );
}

export const normalizeTzid = (tzid: string) => tzid.trim().replace(/^"|"$/g, '').trim();

/** "/mozilla.org/20070129_1/Europe/Berlin" is Europe/Berlin, "tzone://Microsoft/Utc" is UTC. */
function listSpellings(name: string): string[] {
  if (!/^\/|:\/\//.test(name)) return [name];
  const parts = name.split('/').filter(Boolean);
  return [3, 2, 1].map((count) => parts.slice(-count).join('/'));
}

/** Names of older versions of Windows, and what programs write for UTC. */
const OLD_WINDOWS_NAMES = [
  ['armenian standard time', 'Asia/Yerevan'],
  ['coordinated universal time', 'Etc/UTC'],
  ['kamchatka standard time', 'Asia/Kamchatka'],
  ['mexico standard time', 'America/Mexico_City'],
  ['mexico standard time 2', 'America/Mazatlan'],
  ['mid-atlantic standard time', 'Etc/GMT+2'],
] as const;

const windowsZones = WINDOWS_ZONES.trim()
  .split('\n')
  .map((line) => {
    const [name = '', iana = '', offset = '', labels = ''] = line.split(' | ');
    return { name, iana, offset, labels: labels.toLowerCase().split('; ') };
  });

const ZONE_BY_WINDOWS_NAME = new Map<string, string>([
  ...OLD_WINDOWS_NAMES,
  ...windowsZones.map(({ name, iana }) => [name.toLowerCase(), iana] as const),
]);

/** The zones by the places of their labels, with and without the offset. Null for a place in several zones, such as La Paz. */
const ZONE_BY_PLACE = new Map<string, string | null>();
for (const { iana, offset, labels } of windowsZones)
  for (const place of new Set(labels.flatMap((label) => [label, ...listPlaces(label)])))
    for (const key of [place, `${offset} ${place}`])
      ZONE_BY_PLACE.set(
        key,
        ZONE_BY_PLACE.has(key) && ZONE_BY_PLACE.get(key) !== iana ? null : iana,
      );

function listPlaces(label: string): string[] {
  return label.split(/[,/]/).map((place) => place.trim());
}

/** The offset that begins a label: "(UTC+01:00)", or "(GMT+01.00)" in older programs. */
const OFFSET = /^\((?:UTC|GMT)(?:([+-]\d\d)[:.]?(\d\d))?\)\s*/i;

/**
 * Finds the zone of the label that the settings of Windows show: "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna". Older
 * versions list other places, so one that is known is enough.
 */
function findByLongName(name: string): string | undefined {
  const [prefix, hours = '+00', minutes = '00'] = OFFSET.exec(name) ?? [];
  if (prefix === undefined) return undefined;
  const label = name.slice(prefix.length).toLowerCase();
  const places = [label, ...listPlaces(label)];
  const keys = [...places.map((place) => `${hours}:${minutes} ${place}`), ...places];
  return keys.map((key) => ZONE_BY_PLACE.get(key)).find((zone) => typeof zone === 'string');
}

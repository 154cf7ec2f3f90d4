import type { Location } from '../../db/generated/client.ts';
import { notFound } from '../../errors.ts';
import type { Occurrence } from '../calendar/series.ts';

/** An occurrence with the location that its text means. */
export interface Placed {
  occurrence: Occurrence;
  location: Location;
}

/** Finds the location that LOCATION means, or null. */
type Places = (text: string | null) => Location | null;

/**
 * By name or slug, also where an address follows the name. Without a match the default, or the only location
 * there is. Throws NOT_FOUND for a default that does not exist.
 */
export function placesOf(locations: Location[], defaultId?: string): Places {
  const byName = new Map(
    locations.flatMap(
      (one) =>
        [
          [bare(one.name), one],
          [bare(one.slug), one],
        ] as const,
    ),
  );
  const only = locations.length === 1 ? locations[0] : undefined;
  const other = defaultId ? locations.find(({ id }) => id === defaultId) : only;
  if (defaultId && !other) throw notFound('location');
  return (text) => {
    const [name = ''] = (text ?? '').split(/[,;\n]| - /);
    return byName.get(bare(text ?? '')) ?? byName.get(bare(name)) ?? other ?? null;
  };
}

const bare = (text: string) => text.trim().toLowerCase();

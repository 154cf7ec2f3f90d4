import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { useUrlQuery } from '../../components/url-query.ts';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { ResourceType } from '../../gql/graphql.ts';

/** Search criteria are in the URL, so that going back and reloading keep them. */
export interface SearchCriteria {
  location: string | null;
  day: string | null;
  minutes: number | null;
  type: ResourceType | null;
  area: string | null;
  people: number | null;
  /** The earliest start, HH:MM. Empty for any time. */
  after: string;
}

const RESOURCE_TYPE_BY_PARAM: Record<string, ResourceType> = {
  room: 'ROOM',
  desk: 'DESK',
  equipment: 'EQUIPMENT',
};

export function useSearchCriteria() {
  const [query, changeQuery] = useUrlQuery();
  const change = ({ type, ...changes }: Partial<SearchCriteria>) =>
    changeQuery({
      ...changes,
      ...(type === undefined ? {} : { type: type?.toLowerCase() ?? null }),
    });
  return [parseSearchCriteria(query), change] as const;
}

function parseSearchCriteria(query: URLSearchParams): SearchCriteria {
  const day = query.get('day');
  const after = query.get('after') ?? '';
  return {
    location: query.get('location'),
    day: day !== null && isCalendarDate(day) ? day : null,
    minutes: parsePositiveInteger(query.get('minutes')),
    type: RESOURCE_TYPE_BY_PARAM[query.get('type') ?? ''] ?? null,
    area: query.get('area'),
    people: parsePositiveInteger(query.get('people')),
    after: /^\d\d:\d\d$/.test(after) ? after : '',
  };
}

const parsePositiveInteger = (text: string | null) =>
  text !== null && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;

const COMMON_DURATIONS_MINUTES = [
  15, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 480, 600, 720, 1440,
];

type DurationRules = Pick<ResourceDetails, 'minMinutes' | 'maxMinutes' | 'gridMinutes'>;

const allowsDuration = ({ minMinutes, maxMinutes, gridMinutes }: DurationRules, minutes: number) =>
  minutes >= minMinutes && minutes <= maxMinutes && minutes % gridMinutes === 0;

/** Lists common durations that at least one resource allows, and the shortest and longest of each. */
export function listDurations(resources: DurationRules[]): number[] {
  const extremes = resources.flatMap(({ minMinutes, maxMinutes }) => [minMinutes, maxMinutes]);
  const durations = [...new Set([...COMMON_DURATIONS_MINUTES, ...extremes])];
  return durations
    .filter((minutes) => resources.some((resource) => allowsDuration(resource, minutes)))
    .toSorted((a, b) => a - b);
}

/** Returns the requested duration if it is possible, otherwise an hour or the closest to it. */
export const chooseDuration = (requested: number | null, durations: number[]): number =>
  [requested, 60].find((minutes) => minutes !== null && durations.includes(minutes)) ??
  durations.find((minutes) => minutes >= 60) ??
  durations.at(-1) ??
  60;

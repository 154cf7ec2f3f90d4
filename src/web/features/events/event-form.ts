import type { UseFormReturnType } from '@mantine/form';
import type { EventVisibility } from '../../gql/graphql.ts';
import { type OrderLimitValues, toLimitInput, toLimitValues } from '../../ui/order-limits.ts';
import { dayAt, instantAt, timeAt } from '../../ui/wall-clock.ts';
import type { Location } from '../spaces/queries.ts';
import { problemWithSlug } from '../spaces/slug.ts';
import type { EventDetails } from './event-queries.ts';

/** A number as its input holds it: empty text while there is none. */
type Amount = number | string;

/** Days and times are those of the location. */
export interface EventValues {
  title: string;
  slug: string;
  locationId: string | null;
  resourceId: string | null;
  startDay: string;
  startTime: string;
  endDay: string;
  endTime: string;
  summary: string;
  description: string;
  visibility: EventVisibility;
  tags: string[];
  /** Empty: as many as come. */
  capacity: Amount;
  /** Empty: never. */
  refundHours: Amount;
  limits: OrderLimitValues;
}

export type EventFormState = UseFormReturnType<EventValues>;

export const newEvent = (locations: Location[], today: string): EventValues => ({
  title: '',
  slug: '',
  locationId: locations.length === 1 ? (locations[0]?.id ?? null) : null,
  resourceId: null,
  startDay: today,
  startTime: '18:00',
  endDay: today,
  endTime: '21:00',
  summary: '',
  description: '',
  visibility: 'PUBLIC',
  tags: [],
  capacity: '',
  refundHours: 24,
  limits: toLimitValues(null),
});

export const valuesOf = (event: EventDetails): EventValues => ({
  title: event.title,
  slug: event.slug,
  locationId: event.location.id,
  resourceId: event.resource?.id ?? null,
  startDay: dayAt(event.startsAt, event.timeZone),
  startTime: timeAt(event.startsAt, event.timeZone),
  endDay: dayAt(event.endsAt, event.timeZone),
  endTime: timeAt(event.endsAt, event.timeZone),
  summary: event.summary ?? '',
  description: event.description ?? '',
  visibility: event.visibility,
  tags: event.tags,
  capacity: event.capacity ?? '',
  refundHours: event.refundHours ?? '',
  limits: toLimitValues(event.orderLimits),
});

/** The end moves along with the beginning. */
export const withStartDay = (
  { startDay, endDay }: EventValues,
  day: string,
): Partial<EventValues> => ({
  startDay: day,
  ...((endDay === startDay || endDay < day) && { endDay: day }),
});

export const validateEvent = (zoneOf: (values: EventValues) => string | undefined) => ({
  title: (title: string) => (title.trim() ? null : 'Give it a title'),
  slug: (slug: string) => (slug === '' ? null : problemWithSlug(slug)),
  locationId: (id: string | null) => (id === null ? 'Choose where it happens' : null),
  startTime: (time: string, values: EventValues) =>
    problemWithTime(values.startDay, time, zoneOf(values)),
  endTime: (time: string, values: EventValues) => {
    const zone = zoneOf(values);
    const problem = problemWithTime(values.endDay, time, zone);
    if (problem !== null || zone === undefined) return problem;
    const start = instantAt(values.startDay, values.startTime, zone);
    const end = instantAt(values.endDay, time, zone);
    return start !== null && end !== null && end <= start ? 'Later than it begins' : null;
  },
});

function problemWithTime(day: string, time: string, timeZone = 'UTC'): string | null {
  if (day === '' || time === '') return 'Choose the day and the time';
  return instantAt(day, time, timeZone) === null ? 'The clocks skip this time on that day' : null;
}

/** What creating and changing have in common. */
export const inputOf = (values: EventValues, timeZone: string) => ({
  title: values.title.trim(),
  locationId: values.locationId ?? '',
  resourceId: values.resourceId,
  startsAt: instantAt(values.startDay, values.startTime, timeZone) ?? '',
  endsAt: instantAt(values.endDay, values.endTime, timeZone) ?? '',
  summary: values.summary.trim() || null,
  description: values.description.trim() || null,
  visibility: values.visibility,
  tags: values.tags,
  capacity: values.capacity === '' ? null : Number(values.capacity),
  refundHours: values.refundHours === '' ? null : Number(values.refundHours),
  ...toLimitInput(values.limits),
});

/** Times that nobody touched stay to the second, also where the clocks show them twice. */
export function changesOf(values: EventValues, event: EventDetails, timeZone: string) {
  const { startsAt, endsAt, ...rest } = inputOf(values, timeZone);
  const before = valuesOf(event);
  const isSame = (...keys: (keyof EventValues)[]) =>
    timeZone === event.timeZone && keys.every((key) => values[key] === before[key]);
  return {
    ...rest,
    ...(values.slug !== '' && { slug: values.slug }),
    ...(!isSame('startDay', 'startTime') && { startsAt }),
    ...(!isSame('endDay', 'endTime') && { endsAt }),
  };
}

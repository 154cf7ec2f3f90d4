import type { UseFormReturnType } from '@mantine/form';
import {
  type NumberInputValue,
  toNumberOrNull,
  validateSlug,
} from '../../components/FieldGroups.tsx';
import {
  type OrderLimitValues,
  toLimitInput,
  toLimitValues,
} from '../../components/OrderLimitFields.tsx';
import {
  parseWallClock,
  SKIPPED_TIME_MESSAGE,
  toLocalDate,
  toLocalTime,
} from '../../components/wall-clock.ts';
import type { EventVisibility } from '../../gql/graphql.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import type { EventDetails } from './event-page-query.ts';

/** Dates and times are in the location's time zone. */
export interface EventFormValues {
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
  /** Blank means unlimited. */
  capacity: NumberInputValue;
  /** Blank means no refunds. */
  refundHours: NumberInputValue;
  limits: OrderLimitValues;
}

export type EventFormState = UseFormReturnType<EventFormValues>;

export const toNewEventValues = (locations: LocationChoice[], today: string): EventFormValues => ({
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

export const toEventFormValues = (event: EventDetails): EventFormValues => ({
  title: event.title,
  slug: event.slug,
  locationId: event.location.id,
  resourceId: event.resource?.id ?? null,
  startDay: toLocalDate(event.startsAt, event.timeZone),
  startTime: toLocalTime(event.startsAt, event.timeZone),
  endDay: toLocalDate(event.endsAt, event.timeZone),
  endTime: toLocalTime(event.endsAt, event.timeZone),
  summary: event.summary ?? '',
  description: event.description ?? '',
  visibility: event.visibility,
  tags: event.tags,
  capacity: event.capacity ?? '',
  refundHours: event.refundHours ?? '',
  limits: toLimitValues(event.orderLimits),
});

/** Moves the end date along with the start date. */
export const moveStartDay = (
  { startDay, endDay }: EventFormValues,
  day: string,
): Partial<EventFormValues> => ({
  startDay: day,
  ...((endDay === startDay || endDay < day) && { endDay: day }),
});

export const createEventValidators = (
  findTimeZone: (values: EventFormValues) => string | undefined,
) => ({
  title: (title: string) => (title.trim() ? null : 'Enter a title'),
  slug: (slug: string) => (slug === '' ? null : validateSlug(slug)),
  locationId: (id: string | null) => (id === null ? 'Select a location' : null),
  startTime: (time: string, values: EventFormValues) =>
    validateDayAndTime(values.startDay, time, findTimeZone(values)),
  endTime: (time: string, values: EventFormValues) => {
    const zone = findTimeZone(values);
    const problem = validateDayAndTime(values.endDay, time, zone);
    if (problem !== null || zone === undefined) return problem;
    const start = parseWallClock(values.startDay, values.startTime, zone);
    const end = parseWallClock(values.endDay, time, zone);
    return start !== null && end !== null && end <= start ? 'Enter an end after the start' : null;
  },
});

function validateDayAndTime(day: string, time: string, timeZone = 'UTC'): string | null {
  if (day === '' || time === '') return 'Select a date and time';
  return parseWallClock(day, time, timeZone) === null ? SKIPPED_TIME_MESSAGE : null;
}

/** The fields that create and update share. */
export const toEventInput = (values: EventFormValues, timeZone: string) => ({
  title: values.title.trim(),
  locationId: values.locationId ?? '',
  resourceId: values.resourceId,
  startsAt: parseWallClock(values.startDay, values.startTime, timeZone) ?? '',
  endsAt: parseWallClock(values.endDay, values.endTime, timeZone) ?? '',
  summary: values.summary.trim() || null,
  description: values.description.trim() || null,
  visibility: values.visibility,
  tags: values.tags,
  capacity: toNumberOrNull(values.capacity),
  refundHours: toNumberOrNull(values.refundHours),
  ...toLimitInput(values.limits),
});

/** Omits times that are unchanged, as local times can be ambiguous and have no seconds. */
export function toEventUpdate(values: EventFormValues, event: EventDetails, timeZone: string) {
  const { startsAt, endsAt, ...rest } = toEventInput(values, timeZone);
  const before = toEventFormValues(event);
  const isSame = (...keys: (keyof EventFormValues)[]) =>
    timeZone === event.timeZone && keys.every((key) => values[key] === before[key]);
  return {
    ...rest,
    ...(values.slug !== '' && { slug: values.slug }),
    ...(!isSame('startDay', 'startTime') && { startsAt }),
    ...(!isSame('endDay', 'endTime') && { endsAt }),
  };
}

export const EVENT_VISIBILITY_OPTIONS: {
  value: EventVisibility;
  label: string;
  description: string;
}[] = [
  { value: 'PUBLIC', label: 'Everyone', description: 'Listed on the public pages' },
  { value: 'MEMBERS', label: 'Members only', description: 'Only signed-in members can see it' },
];

/** "1 ticket", "3 tickets" */
export const formatTicketCount = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`);

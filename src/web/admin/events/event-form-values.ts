import { SLUG_VIEW } from '../../components/FieldGroups.tsx';
import type { InputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import {
  parseLocalDateTime,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import {
  NEW_ORDER_LIMITS,
  ORDER_LIMIT_VIEWS,
  type OwnOrderLimitValues,
} from '../../components/OrderLimitFields.tsx';
import type { CreateEventInput, EventVisibility, UpdateEventInput } from '../../gql/graphql.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import type { EventDetails } from './event-page-query.ts';

type EventInput = Omit<CreateEventInput & UpdateEventInput, 'id'>;
export type EventFormState = InputForm<EventInput, OwnOrderLimitValues>;
type EventFormValues = EventFormState['values'];

export const EVENT_VIEWS: FieldViews<EventInput> = {
  title: { label: 'Title', placeholder: 'Summer party', missing: 'Enter a title' },
  locationId: {
    label: 'Location',
    placeholder: 'Select a location',
    missing: 'Select a location',
  },
  resourceId: { label: 'Room', placeholder: 'None' },
  startsAt: { label: 'Starts' },
  endsAt: { label: 'Ends' },
  summary: { label: 'Short summary', description: 'Shown in lists and link previews' },
  description: {
    label: 'Description',
    description: 'Shown on the event page',
    rows: 3,
    maxRows: 12,
  },
  tags: {
    label: 'Tags',
    description: 'Press Enter after each: workshop, music',
  },
  visibility: { label: 'Visibility' },
  capacity: {
    label: 'Capacity',
    description: 'All ticket types together',
    placeholder: 'Unlimited',
  },
  refundHours: {
    label: 'Refunds until',
    description: 'Buyers can cancel online until then',
    placeholder: 'No refunds',
    suffix: ' h before',
  },
  ...ORDER_LIMIT_VIEWS,
  slug: {
    label: SLUG_VIEW.label,
    description: 'The last part of the page URL. Changing it breaks existing links.',
    invalid: SLUG_VIEW.invalid,
  },
};

/** Dates and times are in the time zone of the location. */
export const toNewEventRow = (locations: LocationChoice[], today: string) => ({
  locationId: locations.length === 1 ? locations[0]?.id : '',
  startsAt: `${today}T18:00`,
  endsAt: `${today}T21:00`,
  visibility: 'PUBLIC',
  refundHours: 24,
  ...NEW_ORDER_LIMITS,
});

export const toEventRow = (event: EventDetails) => ({
  ...event,
  ...event.orderLimits,
  locationId: event.location.id,
  resourceId: event.resource?.id,
  startsAt: toLocalDateTime(event.startsAt, event.timeZone),
  endsAt: toLocalDateTime(event.endsAt, event.timeZone),
});

/** Moves the end date along with the start date. */
export function moveStart(
  { startsAt, endsAt }: Pick<EventFormValues, 'startsAt' | 'endsAt'>,
  start: string,
) {
  const [[dayBefore], [day = ''], [endDay = '', endTime]] = [startsAt, start, endsAt].map((local) =>
    local.split('T'),
  ) as [string[], string[], string[]];
  const isMoved = endDay === dayBefore || endDay < day;
  return { startsAt: start, endsAt: isMoved ? `${day}T${endTime}` : endsAt };
}

export const createEventValidators = (
  findTimeZone: (values: EventFormValues) => string | undefined,
) => ({
  startsAt: (local: string, values: EventFormValues) =>
    validateDayAndTime(local) ?? validateLocalDateTime(local, findTimeZone(values) ?? 'UTC'),
  endsAt: (local: string, values: EventFormValues) =>
    validateDayAndTime(local) ??
    validateEndAfterStart(values.startsAt, local, findTimeZone(values) ?? 'UTC'),
});

const validateDayAndTime = (local: string) =>
  local.startsWith('T') || local.endsWith('T') ? 'Select a date and time' : null;

export const toEventTimes = ({ startsAt, endsAt }: EventFormValues, timeZone: string) => ({
  startsAt: parseLocalDateTime(startsAt, timeZone) ?? '',
  endsAt: parseLocalDateTime(endsAt, timeZone) ?? '',
});

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

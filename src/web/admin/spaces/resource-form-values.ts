import { SLUG_VIEW } from '../../components/FieldGroups.tsx';
import type { InputForm } from '../../components/InputFields.tsx';
import {
  type FieldViews,
  type FormValues,
  type NumberInputValue,
  toMoneyInputValue,
} from '../../components/input-values.ts';
import type { CreateResourceInput, ResourceType, UpdateResourceInput } from '../../gql/graphql.ts';
import type { ResourceDetails } from './resource-queries.ts';

type ResourceInput = Omit<CreateResourceInput & UpdateResourceInput, 'id' | 'locationId'>;
export type ResourceFormState = InputForm<ResourceInput, NewNumbers>;

/** How many resources a form adds, and where their numbers begin. */
interface NewNumbers {
  count: NumberInputValue;
  firstNumber: NumberInputValue;
}

const MISSING_NUMBER = 'Enter a number (0 is allowed)';

export const RESOURCE_VIEWS: FieldViews<ResourceInput> = {
  name: { label: 'Name', placeholder: 'Meeting room 1', missing: 'Enter a name' },
  slug: SLUG_VIEW,
  type: { label: 'Type' },
  area: { label: 'Area', placeholder: 'Second floor', description: 'Calendars filter by it' },
  capacity: { label: 'Capacity (people)', missing: 'Enter a number of people' },
  pricePerHour: {
    label: 'Price per hour',
    description: 'Public price. Plans can change it for members.',
    missing: 'Enter a price (0 = free)',
  },
  amenities: {
    label: 'Amenities',
    description: 'Press Enter after each: screen, whiteboard',
  },
  gridMinutes: {
    label: 'Booking interval',
    suffix: ' min',
    description: 'Bookings start and end at multiples of this interval',
    missing: 'Enter at least 1 minute',
  },
  bufferMinutes: {
    label: 'Buffer',
    suffix: ' min',
    description: 'Free time after each booking',
    missing: MISSING_NUMBER,
  },
  minMinutes: {
    label: 'Shortest booking',
    suffix: ' min',
    description: 'Minimum duration',
    missing: 'Enter at least 1 minute',
  },
  maxMinutes: {
    label: 'Longest booking',
    suffix: ' min',
    description: 'Maximum duration',
    missing: 'Enter at least 1 minute',
  },
  noticeMinutes: {
    label: 'Minimum notice',
    suffix: ' min',
    description: 'Time between booking and start (0 = none)',
    missing: MISSING_NUMBER,
  },
  daysAhead: {
    label: 'Booking window',
    suffix: ' days',
    description: 'How many days ahead people can book',
    missing: MISSING_NUMBER,
  },
  freeCancellationHours: {
    label: 'Free cancellation',
    suffix: ' h',
    description: 'Hours before the start. After that, the full price is due.',
    missing: MISSING_NUMBER,
  },
  noShowMinutes: {
    label: 'No-show release',
    hidesOptional: true,
    suffix: ' min',
    description: 'Release no-shows after (blank = never)',
  },
  requiresApproval: {
    label: 'Needs approval',
    description: 'Staff must approve bookings by members. The slot stays reserved in the meantime.',
  },
  active: {
    label: 'Bookable',
    description: 'Turn off to stop new bookings, including by staff. Existing bookings stay.',
  },
};

/** What people expect of a type. A desk can be booked for the day. */
const TYPE_DEFAULTS: Record<ResourceType, { capacity: number; maxMinutes: number }> = {
  ROOM: { capacity: 4, maxMinutes: 480 },
  DESK: { capacity: 1, maxMinutes: 1440 },
  EQUIPMENT: { capacity: 1, maxMinutes: 480 },
};

/** The defaults of the service. */
const NEW_RESOURCE = {
  type: 'ROOM',
  ...TYPE_DEFAULTS.ROOM,
  gridMinutes: 15,
  minMinutes: 30,
  bufferMinutes: 0,
  noticeMinutes: 0,
  daysAhead: 365,
  freeCancellationHours: 0,
} as const;

/** After another type was chosen: the values of the type before become those of the new one. */
export function toTypeValues(
  values: Pick<ResourceFormValues, 'type' | 'capacity' | 'maxMinutes'>,
  type: ResourceType,
) {
  const before = TYPE_DEFAULTS[values.type];
  const after = TYPE_DEFAULTS[type];
  return {
    type,
    ...(Number(values.capacity) === before.capacity && { capacity: after.capacity }),
    ...(Number(values.maxMinutes) === before.maxMinutes && { maxMinutes: after.maxMinutes }),
  };
}

/** The row to edit, or what a new one starts with. A copy gets a name of its own. */
export const toResourceRow = (
  resource: ResourceDetails | undefined,
  copied: ResourceDetails | undefined,
) => {
  const source = resource ?? (copied && { ...copied, name: '', slug: '', updatedAt: null });
  return {
    ...(source ?? NEW_RESOURCE),
    pricePerHour: toMoneyInputValue(source?.pricePerHour ?? { amount: 0, currency: 'EUR' }),
  };
};

/** The name that the service gives to one of several resources: "Desk 01". A single one has no number. */
export function formatNumberedName(
  prefix: string,
  { count, firstNumber }: NewNumbers,
  index: number,
): string {
  if (Number(count) === 1 && Number(firstNumber) === 1) return prefix.trim();
  const digits = Math.max(2, String(Number(firstNumber) + Number(count) - 1).length);
  return `${prefix.trim()} ${String(Number(firstNumber) + index).padStart(digits, '0')}`.trim();
}

type ResourceFormValues = FormValues<ResourceInput, NewNumbers>;

const requireMultipleOfInterval = (
  amount: NumberInputValue,
  { gridMinutes }: Pick<ResourceFormValues, 'gridMinutes'>,
) =>
  Number(amount) % Number(gridMinutes) === 0 ? null : `Enter a multiple of ${gridMinutes} minutes`;

export const resourceValidators = {
  gridMinutes: (amount: NumberInputValue) =>
    Number(amount) > 0 ? null : 'Enter at least 1 minute',
  minMinutes: requireMultipleOfInterval,
  maxMinutes: (amount: NumberInputValue, values: ResourceFormValues) =>
    requireMultipleOfInterval(amount, values) ??
    (Number(amount) < Number(values.minMinutes) ? 'Enter at least the shortest booking' : null),
};

/** A short form for a room needs only these. */
export const ROOM_VIEWS: FieldViews<
  Pick<CreateResourceInput, 'name' | 'slug' | 'type' | 'capacity'>
> = {
  name: RESOURCE_VIEWS.name,
  slug: RESOURCE_VIEWS.slug,
  type: RESOURCE_VIEWS.type,
  capacity: RESOURCE_VIEWS.capacity,
};

export const NEW_ROOM = { type: NEW_RESOURCE.type, capacity: NEW_RESOURCE.capacity };

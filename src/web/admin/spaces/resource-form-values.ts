import { SLUG_VIEW } from '../../components/FieldGroups.tsx';
import type { InputForm } from '../../components/InputFields.tsx';
import {
  type FieldViews,
  type FormValues,
  type NumberInputValue,
  toMoneyInputValue,
} from '../../components/input-values.ts';
import type { CreateResourceInput, UpdateResourceInput } from '../../gql/graphql.ts';
import type { ResourceDetails } from './resource-queries.ts';

type ResourceInput = Omit<CreateResourceInput & UpdateResourceInput, 'id' | 'locationId'>;
export type ResourceFormState = InputForm<ResourceInput>;

const MISSING_NUMBER = 'Enter a number (0 is allowed)';

export const RESOURCE_VIEWS: FieldViews<ResourceInput> = {
  name: { label: 'Name', placeholder: 'Meeting room 1', missing: 'Enter a name' },
  slug: SLUG_VIEW,
  type: { label: 'Type' },
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

/** The defaults of the service. */
const NEW_RESOURCE = {
  type: 'ROOM',
  capacity: 4,
  gridMinutes: 15,
  minMinutes: 30,
  maxMinutes: 480,
  bufferMinutes: 0,
  noticeMinutes: 0,
  daysAhead: 365,
  freeCancellationHours: 0,
};

export const toResourceRow = (resource: ResourceDetails | undefined) => ({
  ...(resource ?? NEW_RESOURCE),
  pricePerHour: resource
    ? toMoneyInputValue(resource.pricePerHour)
    : toMoneyInputValue({ amount: 0, currency: 'EUR' }),
});

type ResourceFormValues = FormValues<ResourceInput, object>;

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

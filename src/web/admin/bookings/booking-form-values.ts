import type { UseFormReturnType } from '@mantine/form';
import { isEmailAddress } from '../../components/email-address.ts';
import type {
  CreateBookingInput,
  CreateBookingSeriesInput,
  PricePreviewFragment,
} from '../../gql/graphql.ts';
import { DEFAULT_REPEAT, findCountProblem, type Repeat, toRepeatRule } from './booking-repeat.ts';
import {
  type BookingTimes,
  fillInTimes,
  findEndProblem,
  findStartProblem,
  toTimeSpan,
} from './booking-times.ts';

export type Slot = PricePreviewFragment['alternatives'][number];

/** The initial values of a new booking. */
export interface BookingPrefill {
  day: string;
  resourceId?: string;
  from?: string;
  to?: string;
}

export interface BookingFormValues extends BookingTimes, Repeat {
  resourceId: string | null;
  kind: 'member' | 'guest';
  member: { id: string; name: string } | null;
  guestName: string;
  guestEmail: string;
  title: string;
  notes: string;
}

export type BookingFormState = UseFormReturnType<BookingFormValues>;

export const toBookingFormValues = (
  { day, resourceId, from = '', to = '' }: BookingPrefill,
  timeZone: string,
): BookingFormValues => ({
  ...fillInTimes(day, from, to, timeZone),
  resourceId: resourceId ?? null,
  kind: 'member',
  member: null,
  guestName: '',
  guestEmail: '',
  title: '',
  notes: '',
  ...DEFAULT_REPEAT,
});

export const createBookingValidators = (timeZone: string) => ({
  resourceId: (id: string | null) => (id ? null : 'Select a resource'),
  member: (member: BookingFormValues['member'], { kind }: BookingFormValues) =>
    kind === 'guest' || member ? null : 'Select a member, or book for a guest',
  guestName: (name: string, { kind }: BookingFormValues) =>
    kind === 'member' || name.trim() ? null : 'Enter the guest’s name',
  guestEmail: (email: string, { kind }: BookingFormValues) =>
    kind === 'member' || email.trim() === '' || isEmailAddress(email.trim())
      ? null
      : 'Enter a full email address, or leave it blank',
  from: (_: string, times: BookingTimes) => findStartProblem(times, timeZone),
  to: (_: string, times: BookingTimes) => findEndProblem(times, timeZone),
  count: (_: number | string, values: BookingFormValues) => findCountProblem(values),
});

const PLACEHOLDER_GUEST_NAME = 'Guest';

/** Uses a placeholder guest until a booker is selected. Null while another field is missing. */
export function toBookingInput(
  values: BookingFormValues,
  timeZone: string,
): CreateBookingInput | null {
  const span = toTimeSpan(values, timeZone);
  if (span === null || values.resourceId === null) return null;
  const { kind, member, guestName, guestEmail, title, notes } = values;
  const holder =
    kind === 'member' && member
      ? { memberId: member.id }
      : {
          guest: {
            name: guestName.trim() || PLACEHOLDER_GUEST_NAME,
            email: guestEmail.trim() || null,
          },
        };
  return {
    resourceId: values.resourceId,
    ...span,
    ...holder,
    title: title.trim() || null,
    notes: notes.trim() || null,
  };
}

export const toSeriesInput = (
  input: CreateBookingInput,
  values: BookingFormValues,
): CreateBookingSeriesInput => ({
  ...input,
  rule: toRepeatRule(values, values.day) ?? '',
});

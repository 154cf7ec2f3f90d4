import { Alert, Select, TagsInput } from '@mantine/core';
import { DialogForm } from '../../components/Dialog.tsx';
import { NameAndSlugFields, SLUG_VIEW, TimeZoneSelect } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { BROWSER_TIME_ZONE } from '../../components/wall-clock.ts';
import type {
  BookingDetail,
  CreateLocationInput,
  LookupAccess,
  MemberAdmission,
  UpdateLocationInput,
} from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import {
  type LocationChoice,
  type LocationDetails,
  useCreateLocation,
  useUpdateLocation,
} from './location-queries.ts';

interface CreateLocationFormProps {
  onCreated: (location: LocationChoice) => void;
  onCancel: () => void;
  cancelLabel?: string;
}

export function CreateLocationForm({
  onCreated,
  onCancel,
  cancelLabel = 'Cancel',
}: CreateLocationFormProps) {
  const create = useCreateLocation(onCreated);
  const form = useInputForm('CreateLocationInput', NEW_LOCATION_VIEWS, {
    row: { timeZone: BROWSER_TIME_ZONE },
  });
  return (
    <DialogForm
      label="Add location"
      onSubmit={form.onSubmit((values) => create.mutate(form.toInput(values)))}
      mutation={create}
      onCancel={onCancel}
      cancelLabel={cancelLabel}
    >
      <NameAndSlugFields form={form} />
      <TimeZoneSelect
        {...form.getFieldProps('timeZone')}
        description="For bookings and events at this location"
      />
      <InputField form={form} name="address" />
    </DialogForm>
  );
}

const LOOKUP_ACCESS_CHOICES: { value: LookupAccess; label: string }[] = [
  { value: 'PUBLIC', label: 'Everyone who opens the kiosk page' },
  { value: 'KIOSKS', label: 'Paired kiosks and staff' },
];

/** What each choice allows, in one sentence. */
const LOOKUP_ACCESS_DESCRIPTIONS: Record<LookupAccess, string> = {
  PUBLIC:
    'Anyone on the internet can find out whether a name or email address belongs to a member, and report that person or a visitor as arrived, which stays unconfirmed until staff or the person’s own code confirms it.',
  KIOSKS: 'Other kiosk pages only accept codes. Pair tablets under Displays.',
};

const MEMBER_ADMISSION_CHOICES: { value: MemberAdmission; label: string }[] = [
  { value: 'WITH_MEMBERSHIP', label: 'Members with a plan' },
  { value: 'ALL', label: 'All members' },
];

const MEMBER_ADMISSION_DESCRIPTIONS: Record<MemberAdmission, string> = {
  WITH_MEMBERSHIP:
    'Members need a membership for the day, their own or that of their team. A plan is valid at all locations.',
  ALL: 'All active members, also those without a plan or whose membership has ended.',
};

export const BOOKING_DETAIL_LABELS: Record<BookingDetail, string> = {
  NOTHING: 'Only “Booked”',
  INITIALS: 'Initials, such as B. O.',
  NAME: 'Short name, such as Ben O.',
  TITLE: 'Title and short name',
};

const BOOKING_DETAIL_CHOICES = Object.entries(BOOKING_DETAIL_LABELS).map(([value, label]) => ({
  value: value as BookingDetail,
  label,
}));

const LOCATION_VIEWS: FieldViews<Omit<UpdateLocationInput, 'id'>> = {
  name: { label: 'Name', placeholder: 'Harbour House', missing: 'Enter a name' },
  address: { label: 'Address' },
  phone: { label: 'Phone', type: 'tel', description: 'Shown to visitors' },
  timeZone: { label: 'Time zone', missing: 'Select a time zone' },
  capacity: { label: 'Capacity', description: 'Maximum number of people' },
  lookupNames: {
    label: 'Find members by name at the kiosk',
    description: 'Turn off to require a full email address or code and hide names.',
  },
  lookupAccess: { label: 'Who can check people in by name or email address' },
  memberAdmission: { label: 'Which members can check in' },
  memberBookingsOnDisplays: { label: 'Displays show of bookings by members' },
  guestBookingsOnDisplays: { label: 'Displays show of bookings for guests' },
  hostEmail: {
    label: 'Guest notification email',
    type: 'email',
    description: 'Notified about guests without a host',
  },
  embedOrigins: {
    label: 'Websites with widgets',
    placeholder: 'https://example.org',
    description: 'Addresses of websites that can show events, tickets and free rooms of this site',
  },
  publicAvailability: {
    label: 'Show everyone when rooms are free',
    description: 'Without names, in the widget for rooms. Booking still needs a membership.',
  },
};

const NEW_LOCATION_VIEWS: FieldViews<
  Pick<CreateLocationInput, 'name' | 'slug' | 'timeZone' | 'address'>
> = {
  name: LOCATION_VIEWS.name,
  slug: SLUG_VIEW,
  timeZone: LOCATION_VIEWS.timeZone,
  address: LOCATION_VIEWS.address,
};

interface EditLocationFormProps {
  location: LocationDetails;
  onClose: () => void;
}

export function EditLocationForm({ location, onClose }: EditLocationFormProps) {
  const update = useUpdateLocation(location.id, () => {
    notifySuccess('Location saved.');
    onClose();
  });
  const form = useInputForm('UpdateLocationInput', LOCATION_VIEWS, { row: location });
  return (
    <EditForm
      row={location}
      form={form}
      label="Save location"
      onSubmit={form.onSubmit((values) => update.mutate(form.toChanges(values)))}
      mutation={update}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <InputField form={form} name="address" />
      <InputField form={form} name="phone" />
      <TimeZoneSelect known={location.timeZone} {...form.getFieldProps('timeZone')} />
      {form.isDirty('timeZone') && (
        <Alert color="orange" role="status">
          Existing bookings do not move, so their local times change.
        </Alert>
      )}
      <InputField form={form} name="capacity" />
      <InputField form={form} name="lookupNames" />
      <Select
        data={LOOKUP_ACCESS_CHOICES}
        allowDeselect={false}
        {...form.getFieldProps('lookupAccess')}
        description={LOOKUP_ACCESS_DESCRIPTIONS[form.values.lookupAccess]}
      />
      <Select
        data={MEMBER_ADMISSION_CHOICES}
        allowDeselect={false}
        {...form.getFieldProps('memberAdmission')}
        description={MEMBER_ADMISSION_DESCRIPTIONS[form.values.memberAdmission]}
      />
      <Select
        data={BOOKING_DETAIL_CHOICES}
        allowDeselect={false}
        {...form.getFieldProps('memberBookingsOnDisplays')}
        description="If displays show titles, the booking form tells members so."
      />
      <Select
        data={BOOKING_DETAIL_CHOICES}
        allowDeselect={false}
        {...form.getFieldProps('guestBookingsOnDisplays')}
      />
      <InputField form={form} name="hostEmail" />
      <TagsInput {...form.getFieldProps('embedOrigins')} />
      <InputField form={form} name="publicAvailability" />
    </EditForm>
  );
}

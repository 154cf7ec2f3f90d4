import { Alert, Select, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import { NameAndSlugFields, TimeZoneSelect, validateSlug } from '../../components/FieldGroups.tsx';
import { BROWSER_TIME_ZONE } from '../../components/format-local-time.ts';
import { InputField, type InputFields, useInputForm } from '../../components/InputFields.tsx';
import { notifySuccess } from '../../components/notify.ts';
import type { LookupAccess, UpdateLocationInput } from '../../gql/graphql.ts';
import {
  type LocationChoice,
  type LocationDetails,
  useCreateLocation,
  useUpdateLocation,
} from './location-queries.ts';

interface CreateLocationFormProps {
  onCreated: (location: LocationChoice) => void;
  onCancel: () => void;
}

export function CreateLocationForm({ onCreated, onCancel }: CreateLocationFormProps) {
  const create = useCreateLocation(onCreated);
  const form = useForm({
    initialValues: { name: '', slug: '', timeZone: BROWSER_TIME_ZONE, address: '' },
    validate: {
      name: isNotEmpty('Enter a name'),
      slug: validateSlug,
      timeZone: isNotEmpty('Select a time zone'),
    },
  });
  const submit = form.onSubmit(({ address, ...input }) =>
    create.mutate({ ...input, address: address.trim() || null }),
  );
  return (
    <DialogForm label="Add location" onSubmit={submit} mutation={create} onCancel={onCancel}>
      <NameAndSlugFields
        values={form.values}
        errors={form.errors}
        placeholder="Harbour House"
        onChange={form.setValues}
      />
      <TimeZoneSelect
        description="For bookings and events at this location"
        {...form.getInputProps('timeZone')}
      />
      <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
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

const FIELDS: InputFields<Omit<UpdateLocationInput, 'id'>> = {
  input: 'UpdateLocationInput',
  views: {
    name: { label: 'Name', missing: 'Enter a name' },
    address: { label: 'Address' },
    phone: { label: 'Phone', type: 'tel', description: 'Shown to visitors' },
    timeZone: { label: 'Time zone' },
    capacity: { label: 'Capacity', description: 'Maximum number of people' },
    lookupNames: {
      label: 'Find members by name at the kiosk',
      description: 'Turn off to require a full email address or code and hide names.',
    },
    lookupAccess: { label: 'Who can check people in by name or email address' },
    hostEmail: {
      label: 'Guest notification email',
      type: 'email',
      description: 'Notified about guests without a host',
    },
  },
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
  const form = useInputForm(FIELDS, { row: location });
  return (
    <DialogForm
      label="Save location"
      onSubmit={form.onSubmit((values) => update.mutate(form.toChanges(values)))}
      mutation={update}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <InputField form={form} name="address" />
      <InputField form={form} name="phone" />
      <TimeZoneSelect known={location.timeZone} {...form.getInputProps('timeZone')} />
      {form.values.timeZone !== location.timeZone && (
        <Alert color="orange" role="status">
          Existing bookings do not move, so their local times change.
        </Alert>
      )}
      <InputField form={form} name="capacity" />
      <InputField form={form} name="lookupNames" />
      <Select
        label={FIELDS.views.lookupAccess?.label}
        description={LOOKUP_ACCESS_DESCRIPTIONS[form.values.lookupAccess as LookupAccess]}
        data={LOOKUP_ACCESS_CHOICES}
        allowDeselect={false}
        {...form.getInputProps('lookupAccess')}
      />
      <InputField form={form} name="hostEmail" />
    </DialogForm>
  );
}

import { Alert, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  NameAndSlugFields,
  type NumberInputValue,
  TimeZoneSelect,
  toNumberOrNull,
  validateSlug,
} from '../../components/FieldGroups.tsx';
import { BROWSER_TIME_ZONE } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { LookupAccess } from '../../gql/graphql.ts';
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

interface EditLocationFormProps {
  location: LocationDetails;
  onClose: () => void;
}

export function EditLocationForm({ location, onClose }: EditLocationFormProps) {
  const update = useUpdateLocation(location.id, () => {
    notifySuccess('Location saved.');
    onClose();
  });
  const form = useForm({
    initialValues: {
      name: location.name,
      address: location.address ?? '',
      timeZone: location.timeZone,
      capacity: (location.capacity ?? '') as NumberInputValue,
      hostEmail: location.hostEmail ?? '',
      lookupNames: location.lookupNames,
      lookupAccess: location.lookupAccess,
    },
    validate: { name: isNotEmpty('Enter a name') },
  });
  return (
    <DialogForm
      label="Save location"
      onSubmit={form.onSubmit(({ address, capacity, hostEmail, lookupAccess, ...input }) =>
        update.mutate({
          ...input,
          // Only a choice: otherwise, the first paired kiosk could not change it any more.
          ...(lookupAccess !== location.lookupAccess && { lookupAccess }),
          address: address.trim() || null,
          capacity: toNumberOrNull(capacity),
          hostEmail: hostEmail.trim() || null,
        }),
      )}
      mutation={update}
      onCancel={onClose}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
      <TimeZoneSelect known={location.timeZone} {...form.getInputProps('timeZone')} />
      {form.values.timeZone !== location.timeZone && (
        <Alert color="orange" role="status">
          Existing bookings do not move, so their local times change.
        </Alert>
      )}
      <NumberInput
        label="Capacity (optional)"
        description="Maximum number of people"
        min={1}
        allowDecimal={false}
        {...form.getInputProps('capacity')}
      />
      <Switch
        label="Find members by name at the kiosk"
        description="Turn off to require a full email address or code and hide names."
        {...form.getInputProps('lookupNames', { type: 'checkbox' })}
      />
      <Select
        label="Who can check people in by name or email address"
        description={LOOKUP_ACCESS_DESCRIPTIONS[form.values.lookupAccess]}
        data={LOOKUP_ACCESS_CHOICES}
        allowDeselect={false}
        {...form.getInputProps('lookupAccess')}
      />
      <TextInput
        type="email"
        label="Guest notification email (optional)"
        description="Notified about guests without a host"
        maxLength={320}
        {...form.getInputProps('hostEmail')}
      />
    </DialogForm>
  );
}

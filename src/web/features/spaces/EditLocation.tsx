import { Alert, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type LocationDetails, useUpdateLocation } from './location-queries.ts';
import { timeZones } from './time-zones.ts';

interface Props {
  location: LocationDetails;
  onClose: () => void;
}

export function EditLocation({ location, onClose }: Props) {
  const update = useUpdateLocation(location.id, () => {
    notifyDone('The location is saved.');
    onClose();
  });
  const form = useForm({
    initialValues: {
      name: location.name,
      address: location.address ?? '',
      timeZone: location.timeZone,
      capacity: (location.capacity ?? '') as number | string,
      hostEmail: location.hostEmail ?? '',
      lookupNames: location.lookupNames,
      lookupNeedsKiosk: location.lookupNeedsKiosk,
    },
    validate: { name: isNotEmpty('Give it a name') },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ address, capacity, hostEmail, ...input }) =>
        update.mutate({
          ...input,
          address: address.trim() || null,
          capacity: capacity === '' ? null : Number(capacity),
          hostEmail: hostEmail.trim() || null,
        }),
      )}
    >
      <Stack>
        <FormFailure error={update.error} />
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
        <Select
          label="Time zone"
          data={[...new Set([location.timeZone, ...timeZones])]}
          searchable
          limit={200}
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps('timeZone')}
        />
        {form.values.timeZone !== location.timeZone && (
          <Alert color="orange" role="status">
            Bookings keep their moments in time: what was shown as nine o’clock is then shown at
            another hour.
          </Alert>
        )}
        <NumberInput
          label="Capacity (optional)"
          description="How many people it holds"
          min={1}
          allowDecimal={false}
          {...form.getInputProps('capacity')}
        />
        <Switch
          label="The kiosk finds members by name"
          description="Off: it asks for the whole e-mail address or a code, and tells nobody’s name."
          {...form.getInputProps('lookupNames', { type: 'checkbox' })}
        />
        {form.values.lookupNames && (
          <Switch
            label="At paired kiosks only"
            description="Pair a tablet under Displays. Anywhere else the kiosk page asks for the address or a code."
            {...form.getInputProps('lookupNeedsKiosk', { type: 'checkbox' })}
          />
        )}
        <TextInput
          type="email"
          label="Who is told of guests (optional)"
          description="The e-mail address of the front desk, for guests without a host of their own"
          maxLength={320}
          {...form.getInputProps('hostEmail')}
        />
      </Stack>
      <DialogActions label="Save location" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}

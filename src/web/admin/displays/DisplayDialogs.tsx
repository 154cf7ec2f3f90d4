import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Confirmation, DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type OverlapOption, SecretRotationForm } from '../../components/SecretRotationForm.tsx';
import { CreateResourceForm } from '../spaces/CreateResourceForm.tsx';
import { type DisplayFormValues, displayValidators, ResourceSelect } from './DisplayForm.tsx';
import { DISPLAY_KINDS } from './display-labels.ts';
import { PairingCodeField } from './NewDisplayForms.tsx';
import {
  type Display,
  useClaimPairing,
  useRevokeDisplay,
  useRotateDisplayToken,
  useUpdateDisplay,
} from './queries.ts';

/** Its name and what it shows; it stays where it hangs. */
export function EditDisplayForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const [isAdding, setIsAdding] = useState(false);
  const update = useUpdateDisplay(display.id, ({ name }) => {
    notifySuccess(`${name} is saved. The screen follows with its next poll.`);
    onClose();
  });
  const form = useForm<DisplayFormValues>({
    initialValues: {
      name: display.name,
      kind: display.kind,
      locationId: display.location.id,
      resourceId: display.resource?.id ?? null,
    },
    validate: displayValidators,
  });
  const { location } = display;
  if (isAdding) {
    return (
      <CreateResourceForm
        location={location}
        onCancel={() => setIsAdding(false)}
        onCreated={({ id }) => {
          form.setFieldValue('resourceId', id);
          setIsAdding(false);
        }}
      />
    );
  }
  const submit = form.onSubmit(({ name, kind, resourceId }) =>
    update.mutate({
      name: name.trim(),
      kind,
      resourceId: kind === 'ROOM_PANEL' ? resourceId : null,
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={update.error} />
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <Radio.Group label="What does it show?" {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {DISPLAY_KINDS.map((kind) => (
              <Radio key={kind.value} {...kind} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.kind === 'ROOM_PANEL' && (
          <ResourceSelect
            locationId={location.id}
            onAdd={() => setIsAdding(true)}
            value={form.values.resourceId}
            onChange={(id) => form.setFieldValue('resourceId', id)}
            error={form.errors.resourceId}
          />
        )}
      </Stack>
      <DialogActions label="Save display" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}

/** Another screen takes the place of one that broke. */
export function ReplaceScreenForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const claim = useClaimPairing(() => {
    notifySuccess(`The new screen takes the place of ${display.name}.`);
    onClose();
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsMissing(code.trim() === '');
        if (code.trim() !== '') claim.mutate({ pairingCode: code, displayId: display.id });
      }}
    >
      <Stack>
        <FormError error={claim.error} />
        <Text size="sm">
          The new screen shows what <b>{display.name}</b> shows now. The old one is refused at once.
        </Text>
        <PairingCodeField
          value={code}
          onChange={setCode}
          isMissing={isMissing && code.trim() === ''}
        />
      </Stack>
      <DialogActions label="Replace the screen" onCancel={onClose} pending={claim.isPending} />
    </form>
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  { hours: 0, description: 'The screen shows nothing new until it has the new one.' },
  { hours: 1 },
  { hours: 24, description: 'Enough time to walk to the screen.' },
];

export function RotateDisplayTokenForm({
  display,
  onClose,
}: {
  display: Display;
  onClose: () => void;
}) {
  const rotate = useRotateDisplayToken(display.id, onClose);
  return (
    <SecretRotationForm
      noun="token"
      overlaps={OVERLAP_OPTIONS}
      defaultHours={1}
      label="Make a new token"
      rotate={rotate}
      onCancel={onClose}
    >
      <b>{display.name}</b> gets a new token, which you put into the device. For a screen that shows
      a code, replace the screen instead.
    </SecretRotationForm>
  );
}

export function RevokeDisplayConfirmation({
  display,
  onClose,
}: {
  display: Display;
  onClose: () => void;
}) {
  const revoke = useRevokeDisplay(() => {
    notifySuccess(`${display.name} is revoked.`);
    onClose();
  });
  return (
    <Confirmation
      label="Revoke display"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(display.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      <b>{display.name}</b> at {display.location.name} is refused from its next request, and{' '}
      {display.kind === 'KIOSK'
        ? 'counts as a kiosk no more: its page goes on as one that anybody may open.'
        : 'shows a code to be paired anew.'}{' '}
      To use it again, pair it as a new display. This cannot be undone.
    </Confirmation>
  );
}

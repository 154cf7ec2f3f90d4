import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Confirmation, DialogForm } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { type OverlapOption, SecretRotationForm } from '../../components/SecretRotationForm.tsx';
import { CreateResourceForm } from '../spaces/ResourceForm.tsx';
import { type DisplayFormValues, displayValidators, ResourceSelect } from './DisplayForm.tsx';
import { DISPLAY_KINDS } from './DisplaysTable.tsx';
import { PairingCodeField } from './NewDisplayForms.tsx';
import {
  type Display,
  useClaimPairing,
  useRevokeDisplay,
  useRotateDisplayToken,
  useUpdateDisplay,
} from './queries.ts';

/** Everything but the location, which cannot change. */
export function EditDisplayForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const [isAddingResource, setIsAddingResource] = useState(false);
  const update = useUpdateDisplay(display.id, ({ name }) => {
    notifySuccess(`${name} saved. The screen updates in a moment.`);
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
  if (isAddingResource) {
    return (
      <CreateResourceForm
        location={location}
        onCancel={() => setIsAddingResource(false)}
        onCreated={({ id }) => {
          form.setFieldValue('resourceId', id);
          setIsAddingResource(false);
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
    <DialogForm label="Save display" onSubmit={submit} mutation={update} onCancel={onClose}>
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Radio.Group label="Content" {...form.getInputProps('kind')}>
        <Stack gap="xs" mt="xs">
          {DISPLAY_KINDS.map((kind) => (
            <Radio key={kind.value} {...kind} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.kind === 'ROOM_PANEL' && (
        <ResourceSelect
          locationId={location.id}
          onAdd={() => setIsAddingResource(true)}
          value={form.values.resourceId}
          onChange={(id) => form.setFieldValue('resourceId', id)}
          error={form.errors.resourceId}
        />
      )}
    </DialogForm>
  );
}

/** Pairs another screen in place of a broken one. */
export function ReplaceScreenForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const claim = useClaimPairing(() => {
    notifySuccess(`The new screen now shows ${display.name}.`);
    onClose();
  });
  return (
    <DialogForm
      label="Replace screen"
      onSubmit={(event) => {
        event.preventDefault();
        setIsMissing(code.trim() === '');
        if (code.trim() !== '') claim.mutate({ pairingCode: code, displayId: display.id });
      }}
      mutation={claim}
      onCancel={onClose}
    >
      <Text size="sm">
        The new screen takes over <b>{display.name}</b>. The old screen loses access immediately.
      </Text>
      <PairingCodeField
        value={code}
        onChange={setCode}
        isMissing={isMissing && code.trim() === ''}
      />
    </DialogForm>
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  { hours: 0, description: 'The screen stops updating until it uses the new token.' },
  { hours: 1 },
  { hours: 24, description: 'Leaves time to update the screen.' },
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
      label="Rotate token"
      rotate={rotate}
      onCancel={onClose}
    >
      <b>{display.name}</b> gets a new token for you to enter on the device. If the screen shows a
      pairing code, select “Replace screen” instead.
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
    notifySuccess(`${display.name} revoked.`);
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
      <b>{display.name}</b> at {display.location.name} loses access immediately.{' '}
      {display.kind === 'KIOSK'
        ? 'The kiosk keeps working without pairing.'
        : 'It shows a new pairing code.'}{' '}
      This cannot be undone. To use the screen again, pair it as a new display.
    </Confirmation>
  );
}

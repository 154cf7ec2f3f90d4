import { Text } from '@mantine/core';
import { useState } from 'react';
import { Confirmation, DialogForm } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { type OverlapOption, SecretRotationForm } from '../../components/SecretRotationForm.tsx';
import type { ClaimPairingInput, UpdateDisplayInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { CreateResourceForm } from '../spaces/ResourceForm.tsx';
import {
  DisplayKindField,
  NEW_DISPLAY_VIEWS,
  PairingCodeField,
  ResourceSelect,
  toDisplayResource,
  validateDisplayResource,
} from './DisplayForm.tsx';
import {
  type Display,
  useClaimPairing,
  useRevokeDisplay,
  useRotateDisplayToken,
  useUpdateDisplay,
} from './queries.ts';

const { pairingCode, name, kind, resourceId } = NEW_DISPLAY_VIEWS;

const EDIT_VIEWS: FieldViews<Omit<UpdateDisplayInput, 'id'>> = {
  name: { label: name.label, missing: 'Enter a name' },
  kind,
  resourceId,
};

const PAIRING_VIEWS: FieldViews<Pick<ClaimPairingInput, 'pairingCode'>> = { pairingCode };

/** Everything but the location, which cannot change. */
export function EditDisplayForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const [isAddingResource, setIsAddingResource] = useState(false);
  const update = useUpdateDisplay(display.id, ({ name }) => {
    notifySuccess(`${name} saved. The screen updates in a moment.`);
    onClose();
  });
  const form = useInputForm('UpdateDisplayInput', EDIT_VIEWS, {
    row: { ...display, resourceId: display.resource?.id },
    validate: { resourceId: validateDisplayResource },
    toInput: toDisplayResource,
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
  const submit = form.onSubmit((values) => update.mutate(form.toChanges(values)));
  return (
    <EditForm
      row={display}
      form={form}
      label="Save display"
      onSubmit={submit}
      mutation={update}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <DisplayKindField {...form.getFieldProps('kind')} />
      {form.values.kind === 'ROOM_PANEL' && (
        <ResourceSelect
          locationId={location.id}
          onAdd={() => setIsAddingResource(true)}
          {...form.getFieldProps('resourceId')}
        />
      )}
    </EditForm>
  );
}

/** Pairs another screen in place of a broken one. */
export function ReplaceScreenForm({ display, onClose }: { display: Display; onClose: () => void }) {
  const form = useInputForm('ClaimPairingInput', PAIRING_VIEWS);
  const claim = useClaimPairing(() => {
    notifySuccess(`The new screen now shows ${display.name}.`);
    onClose();
  });
  return (
    <DialogForm
      label="Replace screen"
      onSubmit={form.onSubmit((values) =>
        claim.mutate({ ...form.toInput(values), displayId: display.id }),
      )}
      mutation={claim}
      onCancel={onClose}
    >
      <Text size="sm">
        The new screen takes over <b>{display.name}</b>. The old screen loses access immediately.
      </Text>
      <PairingCodeField form={form} />
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

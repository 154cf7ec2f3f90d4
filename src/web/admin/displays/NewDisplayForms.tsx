import { Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useInputForm } from '../../components/InputFields.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { CreateLocationForm } from '../spaces/LocationForms.tsx';
import { useLocationChoices } from '../spaces/location-queries.ts';
import { CreateResourceForm } from '../spaces/ResourceForm.tsx';
import {
  DisplayForm,
  NEW_DISPLAY_VIEWS,
  type NewDisplayInput,
  toDisplayResource,
  validateDisplayResource,
} from './DisplayForm.tsx';
import { type Display, useClaimPairing, useCreateDisplay } from './queries.ts';

interface CreateDisplayFormProps {
  locationId: string | null;
  onClose: () => void;
}

interface PairDisplayFormProps extends CreateDisplayFormProps {
  cancelLabel?: string;
}

/** For devices that poll a URL. Shows the token once. */
export function CreateDisplayForm({ locationId, onClose }: CreateDisplayFormProps) {
  const create = useCreateDisplay(onClose);
  return (
    <NewDisplaySteps
      locationId={locationId}
      label="Add display"
      mutation={create}
      onSubmit={create.mutate}
      onCancel={onClose}
    />
  );
}

/** For screens that show a pairing code. They fetch their token themselves. */
export function PairDisplayForm({ locationId, onClose, cancelLabel }: PairDisplayFormProps) {
  const claim = useClaimPairing(({ name }: Display) => {
    notifySuccess(`${name} paired. The screen starts in a moment.`);
    onClose();
  });
  return (
    <NewDisplaySteps
      locationId={locationId}
      label="Pair screen"
      mutation={claim}
      onSubmit={claim.mutate}
      onCancel={onClose}
      cancelLabel={cancelLabel}
      isPairing
    />
  );
}

interface NewDisplayStepsProps {
  locationId: string | null;
  label: string;
  mutation: { error: Error | null; isPending: boolean };
  onSubmit: (input: NewDisplayInput) => void;
  onCancel: () => void;
  cancelLabel?: string | undefined;
  isPairing?: boolean;
}

/** Lets staff add a missing location or room without losing the entered values. */
function NewDisplaySteps({ isPairing = false, ...props }: NewDisplayStepsProps) {
  const [step, setStep] = useState<'display' | 'location' | 'resource'>('display');
  const form = useInputForm(
    isPairing ? 'ClaimPairingInput' : 'CreateDisplayInput',
    NEW_DISPLAY_VIEWS,
    {
      row: { kind: 'ROOM_PANEL', locationId: props.locationId },
      validate: { resourceId: validateDisplayResource },
      toInput: toDisplayResource,
    },
  );
  const locations = useLocationChoices();

  const only = locations.data?.length === 1 ? locations.data[0] : undefined;
  const { locationId } = form.values;
  const { setFieldValue } = form;
  useEffect(() => {
    if (only && locationId === '') setFieldValue('locationId', only.id);
  }, [only, locationId, setFieldValue]);

  const location = locations.data?.find(({ id }) => id === locationId);
  const back = () => setStep('display');
  if (step === 'location') {
    return (
      <InterimStep title="New location">
        <CreateLocationForm
          onCancel={back}
          onCreated={({ id }) => {
            form.setValues({ locationId: id, resourceId: '' });
            back();
          }}
        />
      </InterimStep>
    );
  }
  if (step === 'resource' && location) {
    return (
      <InterimStep title={`New room at ${location.name}`}>
        <CreateResourceForm
          location={location}
          onCancel={back}
          onCreated={({ id }) => {
            form.setFieldValue('resourceId', id);
            back();
          }}
        />
      </InterimStep>
    );
  }
  return (
    <DisplayForm
      form={form}
      locations={locations}
      mutation={props.mutation}
      label={props.label}
      hasPairingCode={isPairing}
      onAddLocation={() => setStep('location')}
      onAddResource={() => setStep('resource')}
      onCancel={props.onCancel}
      cancelLabel={props.cancelLabel}
      onSubmit={props.onSubmit}
    />
  );
}

/** A step before the form of the display continues. */
const InterimStep = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <Title order={3} size="h5">
      {title}
    </Title>
    <Text size="sm" c="dimmed" mb="md">
      After this, you continue with the display.
    </Text>
    {children}
  </>
);

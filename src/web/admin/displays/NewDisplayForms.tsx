import { Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { toServiceUrl } from '../../api/urls.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreateDisplayInput } from '../../gql/graphql.ts';
import { CreateLocationForm } from '../spaces/LocationForms.tsx';
import { useLocationChoices } from '../spaces/location-queries.ts';
import { CreateResourceForm } from '../spaces/ResourceForm.tsx';
import { DisplayForm, displayValidators, EMPTY_DISPLAY_VALUES } from './DisplayForm.tsx';
import { type Display, useClaimPairing, useCreateDisplay } from './queries.ts';

interface CreateDisplayFormProps {
  locationId: string | null;
  onClose: () => void;
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
export function PairDisplayForm({ locationId, onClose }: CreateDisplayFormProps) {
  const [code, setCode] = useState('');
  const [isTried, setIsTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isMissing = code.trim() === '';
  const claim = useClaimPairing(({ name }: Display) => {
    notifySuccess(`${name} paired. The screen starts in a moment.`);
    onClose();
  });
  return (
    <NewDisplaySteps
      locationId={locationId}
      label="Pair screen"
      mutation={claim}
      onSubmit={(input) => {
        if (!isMissing) claim.mutate({ ...input, pairingCode: code });
      }}
      onSubmitAttempt={() => {
        setIsTried(true);
        if (isMissing) field.current?.focus();
      }}
      onCancel={onClose}
      firstField={
        <PairingCodeField
          ref={field}
          value={code}
          onChange={setCode}
          isMissing={isTried && isMissing}
        />
      }
    />
  );
}

interface PairingCodeProps {
  value: string;
  onChange: (code: string) => void;
  isMissing: boolean;
  ref?: Ref<HTMLInputElement>;
}

export const PairingCodeField = ({ value, onChange, isMissing, ref }: PairingCodeProps) => (
  <TextInput
    {...(ref && { ref })}
    label="Pairing code"
    description={`The eight letters shown at ${toServiceUrl('display')} on the screen`}
    placeholder="BCDF GHJK"
    maxLength={40}
    autoComplete="off"
    autoCapitalize="characters"
    spellCheck={false}
    autoFocus
    data-autofocus
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    value={value}
    error={isMissing ? 'Enter the code shown on the screen' : null}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

interface NewDisplayStepsProps {
  locationId: string | null;
  label: string;
  mutation: { error: Error | null; isPending: boolean };
  onSubmit: (input: CreateDisplayInput) => void;
  onCancel: () => void;
  onSubmitAttempt?: () => void;
  firstField?: ReactNode;
}

/** Lets staff add a missing location or room without losing the entered values. */
function NewDisplaySteps(props: NewDisplayStepsProps) {
  const [step, setStep] = useState<'display' | 'location' | 'resource'>('display');
  const form = useForm({
    initialValues: { ...EMPTY_DISPLAY_VALUES, locationId: props.locationId },
    validate: displayValidators,
  });
  const locations = useLocationChoices();

  const only = locations.data?.length === 1 ? locations.data[0] : undefined;
  const { locationId } = form.values;
  const { setFieldValue } = form;
  useEffect(() => {
    if (only && locationId === null) setFieldValue('locationId', only.id);
  }, [only, locationId, setFieldValue]);

  const location = locations.data?.find(({ id }) => id === locationId);
  const back = () => setStep('display');
  if (step === 'location') {
    return (
      <InterimStep title="New location">
        <CreateLocationForm
          onCancel={back}
          onCreated={({ id }) => {
            form.setValues({ locationId: id, resourceId: null });
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
      firstField={props.firstField}
      onAddLocation={() => setStep('location')}
      onAddResource={() => setStep('resource')}
      onCancel={props.onCancel}
      onSubmit={props.onSubmit}
      {...(props.onSubmitAttempt && { onSubmitAttempt: props.onSubmitAttempt })}
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

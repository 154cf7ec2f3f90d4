import { Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useState } from 'react';
import type { CreateDisplayInput } from '../../gql/graphql.ts';
import { CreateLocation } from '../spaces/CreateLocation.tsx';
import { CreateResource } from '../spaces/CreateResource.tsx';
import { useLocations } from '../spaces/queries.ts';
import { DisplayForm } from './DisplayForm.tsx';
import { emptyDisplay, validateDisplay } from './display-form.ts';

interface Props {
  locationId: string | null;
  label: string;
  failure: Error | null;
  pending: boolean;
  onSubmit: (input: CreateDisplayInput) => void;
  onCancel: () => void;
  onTry?: () => void;
  first?: ReactNode;
}

/** What is missing on the way, a location or a room, is added in between; what was filled in stays. */
export function NewDisplay(props: Props) {
  const [step, setStep] = useState<'display' | 'location' | 'resource'>('display');
  const form = useForm({
    initialValues: { ...emptyDisplay, locationId: props.locationId },
    validate: validateDisplay,
  });
  const locations = useLocations();

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
      <Between title="A new location">
        <CreateLocation
          onCancel={back}
          onCreated={({ id }) => {
            form.setValues({ locationId: id, resourceId: null });
            back();
          }}
        />
      </Between>
    );
  }
  if (step === 'resource' && location) {
    return (
      <Between title={`A new room at ${location.name}`}>
        <CreateResource
          location={location}
          onCancel={back}
          onCreated={({ id }) => {
            form.setFieldValue('resourceId', id);
            back();
          }}
        />
      </Between>
    );
  }
  return (
    <DisplayForm
      form={form}
      locations={locations}
      failure={props.failure}
      pending={props.pending}
      label={props.label}
      first={props.first}
      onAddLocation={() => setStep('location')}
      onAddResource={() => setStep('resource')}
      onCancel={props.onCancel}
      onSubmit={props.onSubmit}
      {...(props.onTry && { onTry: props.onTry })}
    />
  );
}

const Between = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <Title order={3} size="h5">
      {title}
    </Title>
    <Text size="sm" c="dimmed" mb="md">
      You go on with the display afterwards.
    </Text>
    {children}
  </>
);

import { Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useState } from 'react';
import { serviceUrl } from '../../api/urls.ts';
import { useSecret } from '../../ui/secret/use-secret.ts';
import { CreateLocation } from '../spaces/CreateLocation.tsx';
import { CreateResource } from '../spaces/CreateResource.tsx';
import { useLocations } from '../spaces/queries.ts';
import { DisplayForm } from './DisplayForm.tsx';
import { emptyDisplay, validateDisplay } from './display-form.ts';
import { useCreateDisplay } from './queries.ts';

/** What is missing on the way, a location or a room, is added in between; what was filled in stays. */
export function CreateDisplay(props: { locationId: string | null; onClose: () => void }) {
  const [step, setStep] = useState<'display' | 'location' | 'resource'>('display');
  const form = useForm({
    initialValues: { ...emptyDisplay, locationId: props.locationId },
    validate: validateDisplay,
  });
  const locations = useLocations();
  const showSecret = useSecret();
  const create = useCreateDisplay((token, { name }) => {
    props.onClose();
    showSecret({
      title: `${name} is ready`,
      explanation:
        'Put the address into the display. It polls what to show there, which also tells that it is alive.',
      label: 'Device token',
      plainText: token,
      addresses: [
        { label: 'Address to poll', value: serviceUrl(`displays/state/${token}`) },
        { label: 'Address of the heartbeat', value: serviceUrl(`displays/heartbeat/${token}`) },
      ],
    });
  });

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
      failure={create.error}
      pending={create.isPending}
      onAddLocation={() => setStep('location')}
      onAddResource={() => setStep('resource')}
      onCancel={props.onClose}
      onSubmit={create.mutate}
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

import { Anchor, Radio, type RadioGroupProps, Select, Stack, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/errors.ts';
import { toServiceUrl } from '../../api/urls.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import type { InputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import type { ClaimPairingInput, CreateDisplayInput, DisplayKind } from '../../gql/graphql.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { toResourceOptions } from '../spaces/resource-labels.ts';
import { useResourceChoices } from '../spaces/resource-queries.ts';
import { DISPLAY_KINDS } from './DisplaysTable.tsx';

interface DisplayFormProps {
  form: DisplayFormState;
  locations: UseQueryResult<LocationChoice[]>;
  mutation: { error: Error | null; isPending: boolean };
  onAddLocation: () => void;
  onAddResource: () => void;
  onCancel: () => void;
  onSubmit: (input: NewDisplayInput) => void;
  /** The label of the submit button. */
  label: string;
  cancelLabel?: string | undefined;
  /** Whether it asks for the code that the screen shows. */
  hasPairingCode: boolean;
}

export function DisplayForm({
  form,
  locations,
  mutation,
  label,
  cancelLabel = 'Cancel',
  hasPairingCode,
  ...on
}: DisplayFormProps) {
  const { kind, locationId } = form.values;
  if (locations.error) {
    return <ErrorAlert error={toApiError(locations.error)} retry={locations.refetch} />;
  }
  return (
    <DialogForm
      label={label}
      cancelLabel={cancelLabel}
      onSubmit={form.onSubmit((values) => on.onSubmit(form.toInput(values)))}
      mutation={mutation}
      onCancel={on.onCancel}
    >
      {hasPairingCode && <PairingCodeField form={form} />}
      <TextInput
        {...(!hasPairingCode && { autoFocus: true, 'data-autofocus': true })}
        {...form.getFieldProps('name')}
      />
      <DisplayKindField {...form.getFieldProps('kind')} />
      <div>
        <Select
          data={toSelectOptions(locations.data)}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching location"
          {...form.getFieldProps('locationId')}
          onChange={(id) => form.setValues({ locationId: id ?? '', resourceId: '' })}
        />
        <Anchor component="button" type="button" size="sm" mt={4} onClick={on.onAddLocation}>
          Add a location
        </Anchor>
      </div>
      {kind === 'ROOM_PANEL' && locationId && (
        <ResourceSelect
          locationId={locationId}
          onAdd={on.onAddResource}
          {...form.getFieldProps('resourceId')}
        />
      )}
    </DialogForm>
  );
}

/** What a display shows. */
export const DisplayKindField = (field: Omit<RadioGroupProps, 'children'>) => (
  <Radio.Group {...field}>
    <Stack gap="xs" mt="xs">
      {DISPLAY_KINDS.map((kind) => (
        <Radio key={kind.value} {...kind} />
      ))}
    </Stack>
  </Radio.Group>
);

interface ResourceSelectProps {
  label: string;
  locationId: string;
  value: string;
  onChange: (id: string | null) => void;
  onAdd: () => void;
  error?: ReactNode;
}

/** The resources of the location, grouped by type. */
export function ResourceSelect({ locationId, onAdd, ...field }: ResourceSelectProps) {
  const resources = useResourceChoices(locationId);
  if (resources.error) {
    return <ErrorAlert error={toApiError(resources.error)} retry={resources.refetch} />;
  }
  const groups = toResourceOptions(resources.data ?? []);
  const hasNone = resources.isSuccess && groups.length === 0;
  return (
    <div>
      <Select
        description={hasNone ? 'This location has no rooms yet. Add a room first.' : null}
        data={groups}
        searchable
        allowDeselect={false}
        disabled={hasNone || resources.isPending}
        nothingFoundMessage="No matching room"
        {...field}
      />
      <Anchor component="button" type="button" size="sm" mt={4} onClick={onAdd}>
        Add a room
      </Anchor>
    </div>
  );
}

export type NewDisplayInput = CreateDisplayInput & Pick<ClaimPairingInput, 'pairingCode'>;
type DisplayFormState = InputForm<NewDisplayInput>;

/** A screen that is paired has the same fields, and its code. */
export const NEW_DISPLAY_VIEWS: FieldViews<NewDisplayInput> = {
  pairingCode: {
    label: 'Pairing code',
    placeholder: 'BCDF GHJK',
    missing: 'Enter the code shown on the screen',
  },
  name: {
    label: 'Name',
    description: 'Helps people find the screen',
    placeholder: 'Kitchen entrance',
    missing: 'Enter a name',
  },
  kind: { label: 'Content', hidesOptional: true },
  locationId: { label: 'Location', missing: 'Select a location' },
  resourceId: { label: 'Room', hidesOptional: true },
};

export const validateDisplayResource = (id: string, { kind }: { kind: DisplayKind }) =>
  kind !== 'ROOM_PANEL' || id ? null : 'Select a room';

/** Only a room panel belongs to a room. */
export const toDisplayResource = ({
  kind,
  resourceId,
}: {
  kind: DisplayKind;
  resourceId: string;
}) => ({ resourceId: (kind === 'ROOM_PANEL' && resourceId) || null });

interface PairingCodeFieldProps {
  form: { getFieldProps: (name: 'pairingCode') => object };
}

export const PairingCodeField = ({ form }: PairingCodeFieldProps) => (
  <TextInput
    description={`The eight letters shown at ${toServiceUrl('display')} on the screen`}
    autoComplete="off"
    autoCapitalize="characters"
    spellCheck={false}
    autoFocus
    data-autofocus
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...form.getFieldProps('pairingCode')}
  />
);

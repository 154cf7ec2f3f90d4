import { Anchor, Radio, Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/errors.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import type { CreateDisplayInput, DisplayKind } from '../../gql/graphql.ts';
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
  onSubmit: (input: CreateDisplayInput) => void;
  /** Called on every submit, valid or not. */
  onSubmitAttempt?: () => void;
  /** The label of the submit button. */
  label: string;
  /** Shown above the other fields. */
  firstField?: ReactNode;
}

export function DisplayForm({
  form,
  locations,
  mutation,
  label,
  firstField,
  ...on
}: DisplayFormProps) {
  const { kind, locationId } = form.values;
  if (locations.error) {
    return <ErrorAlert error={toApiError(locations.error)} retry={locations.refetch} />;
  }
  return (
    <DialogForm
      label={label}
      onSubmit={(event) => {
        form.onSubmit((values) => on.onSubmit(toDisplayInput(values)))(event);
        on.onSubmitAttempt?.();
      }}
      mutation={mutation}
      onCancel={on.onCancel}
    >
      {firstField}
      <TextInput
        label="Name"
        description="Helps people find the screen"
        placeholder="Kitchen entrance"
        maxLength={200}
        {...(firstField ? {} : { autoFocus: true, 'data-autofocus': true })}
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Content" {...form.getInputProps('kind')}>
        <Stack gap="xs" mt="xs">
          {DISPLAY_KINDS.map((kind) => (
            <Radio key={kind.value} {...kind} />
          ))}
        </Stack>
      </Radio.Group>
      <div>
        <Select
          label="Location"
          data={toSelectOptions(locations.data)}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching location"
          {...form.getInputProps('locationId')}
          onChange={(id) => form.setValues({ locationId: id, resourceId: null })}
        />
        <Anchor component="button" type="button" size="sm" mt={4} onClick={on.onAddLocation}>
          Add a location
        </Anchor>
      </div>
      {kind === 'ROOM_PANEL' && locationId && (
        <ResourceSelect
          locationId={locationId}
          onAdd={on.onAddResource}
          value={form.values.resourceId}
          onChange={(id) => form.setFieldValue('resourceId', id)}
          error={form.errors.resourceId}
        />
      )}
    </DialogForm>
  );
}

interface ResourceSelectProps {
  locationId: string;
  value: string | null;
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
        label="Room"
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

export interface DisplayFormValues {
  name: string;
  kind: DisplayKind;
  locationId: string | null;
  resourceId: string | null;
}

type DisplayFormState = UseFormReturnType<DisplayFormValues>;

export const EMPTY_DISPLAY_VALUES: DisplayFormValues = {
  name: '',
  kind: 'ROOM_PANEL',
  locationId: null,
  resourceId: null,
};

export const displayValidators = {
  name: (name: string) => (name.trim() ? null : 'Enter a name'),
  locationId: (id: string | null) => (id ? null : 'Select a location'),
  resourceId: (id: string | null, { kind }: DisplayFormValues) =>
    kind !== 'ROOM_PANEL' || id ? null : 'Select a room',
};

const toDisplayInput = ({
  name,
  kind,
  locationId,
  resourceId,
}: DisplayFormValues): CreateDisplayInput => ({
  name,
  kind,
  locationId: locationId ?? '',
  resourceId: kind === 'ROOM_PANEL' ? resourceId : null,
});

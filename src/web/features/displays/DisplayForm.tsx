import { Anchor, Radio, Select, Stack, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { asApiError } from '../../api/errors.ts';
import type { CreateDisplayInput } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import type { Location } from '../spaces/queries.ts';
import { asInput, type DisplayFormState } from './display-form.ts';
import { DISPLAY_KINDS } from './kinds.ts';
import { ResourceSelect } from './ResourceSelect.tsx';

interface Props {
  form: DisplayFormState;
  locations: UseQueryResult<Location[]>;
  failure: Error | null;
  pending: boolean;
  onAddLocation: () => void;
  onAddResource: () => void;
  onCancel: () => void;
  onSubmit: (input: CreateDisplayInput) => void;
  /** With every attempt to send it, also where something is missing. */
  onTry?: () => void;
  /** What the button says. */
  label: string;
  /** Above everything else. */
  first?: ReactNode;
}

export function DisplayForm({ form, locations, failure, pending, label, first, ...on }: Props) {
  const { kind, locationId } = form.values;
  if (locations.error) {
    return <ErrorState error={asApiError(locations.error)} retry={locations.refetch} />;
  }
  return (
    <form
      onSubmit={(event) => {
        form.onSubmit((values) => on.onSubmit(asInput(values)))(event);
        on.onTry?.();
      }}
      noValidate
    >
      <Stack>
        <FormFailure error={failure} />
        {first}
        <TextInput
          label="Name"
          description="So that people find it"
          placeholder="Next to the kitchen door"
          maxLength={200}
          {...(first ? {} : { autoFocus: true, 'data-autofocus': true })}
          {...form.getInputProps('name')}
        />
        <Radio.Group label="What does it show?" {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {DISPLAY_KINDS.map((kind) => (
              <Radio key={kind.value} {...kind} />
            ))}
          </Stack>
        </Radio.Group>
        <div>
          <Select
            label="Location"
            data={locations.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such location"
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
      </Stack>
      <DialogActions label={label} onCancel={on.onCancel} pending={pending} />
    </form>
  );
}

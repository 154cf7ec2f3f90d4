import { Select, SimpleGrid } from '@mantine/core';
import { asApiError } from '../../api/errors.ts';
import { type Location, useResources } from '../spaces/queries.ts';
import type { EventFormState } from './event-form.ts';

interface Props {
  form: EventFormState;
  locations: Location[];
}

/** A location, and perhaps a room there that the event has for itself. */
export function EventPlace({ form, locations }: Props) {
  const { locationId, resourceId } = form.values;
  const rooms = useResources(locationId);
  const choices = rooms.data?.filter(({ active, id }) => active || id === resourceId) ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Location"
        placeholder="Choose one"
        data={locations.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such location"
        {...form.getInputProps('locationId')}
        onChange={(id) => form.setValues({ locationId: id, resourceId: null })}
      />
      <Select
        label="Room (optional)"
        placeholder="None"
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        disabled={locationId === null}
        nothingFoundMessage="No such room"
        {...form.getInputProps('resourceId')}
        error={form.errors.resourceId ?? (rooms.error && asApiError(rooms.error).message)}
      />
    </SimpleGrid>
  );
}

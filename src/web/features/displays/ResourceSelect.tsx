import { Anchor, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { asApiError } from '../../api/errors.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useResources } from '../spaces/queries.ts';
import { RESOURCE_TYPES } from '../spaces/resource-types.ts';

interface Props {
  locationId: string;
  value: string | null;
  onChange: (id: string | null) => void;
  onAdd: () => void;
  error?: ReactNode;
}

/** What can be booked at this location, by its kind. */
export function ResourceSelect({ locationId, onAdd, ...field }: Props) {
  const resources = useResources(locationId);
  if (resources.error) {
    return <ErrorState error={asApiError(resources.error)} retry={resources.refetch} />;
  }
  const bookable = resources.data?.filter(({ active }) => active) ?? [];
  const groups = RESOURCE_TYPES.map((type) => ({
    group: type.plural,
    items: bookable
      .filter((resource) => resource.type === type.value)
      .map(({ id, name }) => ({ value: id, label: name })),
  })).filter(({ items }) => items.length > 0);
  const isNone = resources.isSuccess && bookable.length === 0;
  return (
    <div>
      <Select
        label="Room"
        description={
          isNone ? 'Nothing can be booked at this location yet: add a room first.' : null
        }
        data={groups}
        searchable
        allowDeselect={false}
        disabled={isNone || resources.isPending}
        nothingFoundMessage="No such room"
        {...field}
      />
      <Anchor component="button" type="button" size="sm" mt={4} onClick={onAdd}>
        Add a room
      </Anchor>
    </div>
  );
}

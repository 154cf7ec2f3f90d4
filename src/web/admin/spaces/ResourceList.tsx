import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDuration } from '../../../core/time/format.ts';
import { type Column, DataTable, RowAction } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { INPUT_LIMITS } from '../../gql/input-limits.ts';
import { ResourceBatchForm } from './ResourceBatchForm.tsx';
import { ResourceForm } from './ResourceForm.tsx';
import { formatResourceType } from './resource-labels.ts';
import type { ResourceDetails } from './resource-queries.ts';

interface Props {
  location: { id: string; name: string };
  resources: ResourceDetails[];
  canChange: boolean;
}

const columns: Column<ResourceDetails>[] = [
  { header: 'Name', cell: (resource) => <ResourceNameCell resource={resource} /> },
  { header: 'Type', cell: ({ type }) => <Text size="sm">{formatResourceType(type)}</Text> },
  { header: 'Area', cell: ({ area }) => <Text size="sm">{area ?? '–'}</Text> },
  { header: 'Capacity', cell: ({ capacity }) => <Text size="sm">{capacity}</Text> },
  {
    header: 'Price per hour',
    cell: ({ pricePerHour }) => (
      <Text size="sm">{pricePerHour.amount === 0 ? 'free' : formatMoney(pricePerHour)}</Text>
    ),
  },
  { header: 'Rules', cell: (resource) => <Text size="sm">{formatRules(resource)}</Text> },
];

export function ResourceList({ location, resources, canChange }: Props) {
  const creating = useDialog<ResourceDetails | 'new'>();
  const editing = useDialog<ResourceDetails>();
  const changing = useDialog<ResourceDetails[]>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = resources.filter(({ id }) => selected.has(id));
  return (
    <SectionCard
      title="Rooms, desks and equipment"
      count={resources.length > 0 ? String(resources.length) : undefined}
      action={
        canChange && (
          <Group gap="xs">
            {chosen.length > 0 && (
              <Button
                size="xs"
                variant="default"
                disabled={chosen.length > MAX_CHANGED_AT_ONCE}
                onClick={() => changing.open(chosen)}
              >
                Edit {chosen.length} selected
              </Button>
            )}
            <Button size="xs" onClick={() => creating.open('new')}>
              Add rooms or desks
            </Button>
          </Group>
        )
      }
    >
      {resources.length === 0 ? (
        <Text size="sm">
          {canChange
            ? 'Nothing here yet. Add a room, desk or piece of equipment to make it bookable.'
            : 'Nothing here yet. An owner or manager can add rooms and desks.'}
        </Text>
      ) : (
        <DataTable
          label="Rooms, desks and equipment"
          columns={columns}
          rows={resources}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
          {...(canChange && {
            actions: (resource: ResourceDetails) => (
              <>
                <RowAction
                  label="Duplicate"
                  row={resource.name}
                  onClick={() => creating.open(resource)}
                />
                <RowAction
                  label="Edit"
                  row={resource.name}
                  onClick={() => editing.open(resource)}
                />
              </>
            ),
            selection: {
              selected,
              onChange: setSelected,
              getName: ({ name }: ResourceDetails) => name,
            },
          })}
        />
      )}
      <Dialog state={creating} title={toAddTitle(location, creating.subject)} size="lg">
        {(source) => (
          <ResourceForm
            locationId={location.id}
            {...(source !== 'new' && { copied: source })}
            onClose={creating.close}
          />
        )}
      </Dialog>
      <Dialog state={changing} title={`Edit ${changing.subject?.length ?? ''} selected`} size="lg">
        {(rows) => <ResourceBatchForm resources={rows} onClose={changing.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`} size="lg">
        {(resource) => (
          <ResourceForm locationId={location.id} resource={resource} onClose={editing.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

/** The limit of the service. */
const MAX_CHANGED_AT_ONCE = INPUT_LIMITS.UpdateResourcesInput.resources.maxItems;

const toAddTitle = (location: { name: string }, source: ResourceDetails | 'new' | null) =>
  source === null || source === 'new'
    ? `Add rooms or desks at ${location.name}`
    : `Duplicate ${source.name}`;

const ResourceNameCell = ({
  resource: { id, name, active, amenities },
}: {
  resource: ResourceDetails;
}) => (
  <>
    <Group gap="xs">
      <Anchor component={Link} to={`/spaces/resources/${id}`} fw={600} size="sm">
        {name}
      </Anchor>
      {!active && (
        <Badge variant="default" size="sm">
          Not bookable
        </Badge>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {amenities.join(', ')}
    </Text>
  </>
);

/** "30 min to 8 h · needs approval" */
export function formatRules(resource: ResourceDetails): string {
  const { minMinutes, maxMinutes, bufferMinutes, freeCancellationHours, noShowMinutes } = resource;
  return [
    `${formatDuration(minMinutes)} to ${formatDuration(maxMinutes)}`,
    bufferMinutes > 0 && `${formatDuration(bufferMinutes)} buffer`,
    freeCancellationHours > 0 && `free cancellation until ${freeCancellationHours} h before`,
    noShowMinutes !== null && `no-shows released after ${formatDuration(noShowMinutes)}`,
    resource.requiresApproval && 'needs approval',
  ]
    .filter(Boolean)
    .join(' · ');
}

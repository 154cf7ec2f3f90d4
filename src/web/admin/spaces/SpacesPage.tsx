import { Button, Text } from '@mantine/core';
import { IconMapPin, IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatWeek } from '../../components/opening-hours.ts';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { CreateLocationForm } from './LocationForms.tsx';
import { type LocationDetails, useLocationList } from './location-queries.ts';

const columns: Column<LocationDetails>[] = [
  { header: 'Name', cell: ({ id, name }) => <NameCell name={name} to={`/spaces/${id}`} /> },
  { header: 'Address', cell: ({ address }) => <Text size="sm">{address ?? '–'}</Text> },
  { header: 'Time zone', cell: ({ timeZone }) => <Text size="sm">{timeZone}</Text> },
  { header: 'Opening hours', cell: (location) => <OpeningHoursSummary location={location} /> },
];

export function SpacesPage() {
  const canChange = can(useStaffViewer(), 'spaces:write');
  const locations = useLocationList();
  const creating = useDialog();
  const navigate = useNavigate();
  const add = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Add a location
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Spaces"
        description="Your locations, their opening hours and what people can book."
        action={locations.data?.length ? add : null}
      />
      <QueryBoundary query={locations}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconMapPin} title="No locations yet" action={add}>
              {canChange
                ? 'Add your first location, then its rooms and desks.'
                : 'An owner or manager can add one.'}
            </EmptyState>
          ) : (
            <DataTable label="Locations" columns={columns} rows={rows} getKey={({ id }) => id} />
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title="Add a location">
        {() => (
          <CreateLocationForm
            onCreated={({ id }) => navigate(`/spaces/${id}`)}
            onCancel={creating.close}
          />
        )}
      </Dialog>
    </>
  );
}

const OpeningHoursSummary = ({ location: { openingHours } }: { location: LocationDetails }) => (
  <>
    {formatWeek(openingHours).map((line) => (
      <Text key={line} size="sm">
        {line}
      </Text>
    ))}
  </>
);

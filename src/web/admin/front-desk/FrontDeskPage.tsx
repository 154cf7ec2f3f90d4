import { Anchor, Paper, Progress, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { CheckedInList, LatestAttempts } from './AttemptLists.tsx';
import { CheckInForm } from './CheckInForm.tsx';
import { type Occupancy, useOccupancy } from './queries.ts';

export function FrontDeskPage() {
  const canAdmit = can(useStaffViewer(), 'check-ins:write');
  const [selected, setSelected] = useState('');
  const { occupancy, isLive, refreshSeconds } = useOccupancy();
  const locations = occupancy.data ?? [];
  const locationId = selected || null;
  return (
    <>
      <PageHeader
        title="Front desk"
        description="Check people in and see who is here."
        action={
          <Anchor
            href={toServiceUrl(
              locations.length === 1 ? `kiosk/${locations[0]?.locationId}` : 'kiosk',
            )}
            target="_blank"
            rel="noreferrer"
            size="sm"
          >
            Open kiosk
          </Anchor>
        }
      />
      <Stack>
        <QueryBoundary query={occupancy} height={100}>
          {(locations) => <OccupancyCards locations={locations} />}
        </QueryBoundary>
        <Text size="xs" c="dimmed" role="status">
          {isLive ? 'Live updates are on.' : `Updates every ${refreshSeconds} seconds.`}
        </Text>
        {locations.length > 1 && (
          <Select
            label="Location"
            data={[
              { value: '', label: 'All locations' },
              ...locations.map((location) => ({
                value: location.locationId,
                label: location.locationName,
              })),
            ]}
            value={selected}
            onChange={(id) => setSelected(id ?? '')}
            allowDeselect={false}
            maw={280}
          />
        )}
        {canAdmit && locations.length > 0 && (
          <CheckInForm key={selected} locations={locations} selectedId={locationId} />
        )}
        <SimpleGrid cols={{ base: 1, xl: 2 }}>
          <CheckedInList
            locationId={locationId}
            canAdmit={canAdmit}
            refreshSeconds={refreshSeconds}
          />
          <LatestAttempts locationId={locationId} refreshSeconds={refreshSeconds} />
        </SimpleGrid>
      </Stack>
    </>
  );
}

/** The occupancy of each location. */
export const OccupancyCards = ({ locations }: { locations: Occupancy[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" p={0} m={0} aria-label="Occupancy">
    {locations.map(({ locationId, locationName, present, capacity }) => (
      <Paper
        key={locationId}
        component="li"
        withBorder
        radius="md"
        p="md"
        style={{ listStyle: 'none' }}
      >
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {locationName}
        </Text>
        <Text size="xl" fw={700}>
          {present} in
          {capacity !== null && (
            <Text span size="sm" c="dimmed" fw={400}>
              {' '}
              of {capacity}
              {present >= capacity && ', full'}
            </Text>
          )}
        </Text>
        {capacity !== null && (
          <Progress
            mt="xs"
            value={Math.min(100, (100 * present) / Math.max(1, capacity))}
            color={present >= capacity ? 'red' : 'teal'}
            aria-label={`${present} of ${capacity}`}
          />
        )}
      </Paper>
    ))}
  </SimpleGrid>
);

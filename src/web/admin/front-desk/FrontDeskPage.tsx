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
  const [chosen, setChosen] = useState('');
  const { occupancy, isLive, refreshSeconds } = useOccupancy();
  const places = occupancy.data ?? [];
  const locationId = chosen || null;
  return (
    <>
      <PageHeader
        title="Front desk"
        description="Who is in, who came and went, and who could not get in."
        action={
          <Anchor
            href={toServiceUrl(places.length === 1 ? `kiosk/${places[0]?.locationId}` : 'kiosk')}
            target="_blank"
            rel="noreferrer"
            size="sm"
          >
            Open the kiosk page
          </Anchor>
        }
      />
      <Stack>
        <QueryBoundary query={occupancy} height={100}>
          {(places) => <OccupancyCards places={places} />}
        </QueryBoundary>
        <Text size="xs" c="dimmed" role="status">
          {isLive ? 'Shown as it happens.' : `Looked at again every ${refreshSeconds} seconds.`}
        </Text>
        {places.length > 1 && (
          <Select
            label="Location"
            data={[
              { value: '', label: 'All locations' },
              ...places.map((place) => ({ value: place.locationId, label: place.locationName })),
            ]}
            value={chosen}
            onChange={(id) => setChosen(id ?? '')}
            allowDeselect={false}
            maw={280}
          />
        )}
        {canAdmit && places.length > 0 && (
          <CheckInForm key={chosen} places={places} chosen={locationId} />
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

/** How full each location is, as a number and as a bar. */
export const OccupancyCards = ({ places }: { places: Occupancy[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" p={0} m={0} aria-label="Who is in">
    {places.map(({ locationId, locationName, present, capacity }) => (
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

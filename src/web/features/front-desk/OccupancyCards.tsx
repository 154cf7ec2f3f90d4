import { Paper, Progress, SimpleGrid, Text } from '@mantine/core';
import type { Occupancy } from './queries.ts';

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

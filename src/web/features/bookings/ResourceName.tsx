import { Text } from '@mantine/core';
import { typeName } from '../spaces/resource-types.ts';
import type { BookableResource } from './day-queries.ts';

export const ResourceName = ({ resource }: { resource: BookableResource }) => (
  <>
    <Text size="sm" fw={600}>
      {resource.name}
    </Text>
    <Text size="xs" c="dimmed">
      {resource.active
        ? `${typeName(resource.type)}${resource.capacity > 1 ? `, ${resource.capacity} people` : ''}`
        : 'Not bookable'}
    </Text>
  </>
);

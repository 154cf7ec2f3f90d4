import type { ResourceType } from '../../gql/graphql.ts';

export const RESOURCE_TYPES: { value: ResourceType; label: string; plural: string }[] = [
  { value: 'ROOM', label: 'Room', plural: 'Rooms' },
  { value: 'DESK', label: 'Desk', plural: 'Desks' },
  { value: 'EQUIPMENT', label: 'Equipment', plural: 'Equipment' },
];

export const formatResourceType = (type: ResourceType) =>
  RESOURCE_TYPES.find(({ value }) => value === type)?.label ?? type;

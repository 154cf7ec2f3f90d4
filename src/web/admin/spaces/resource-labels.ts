import type { ResourceType } from '../../gql/graphql.ts';

export const RESOURCE_TYPES: { value: ResourceType; label: string; plural: string }[] = [
  { value: 'ROOM', label: 'Room', plural: 'Rooms' },
  { value: 'DESK', label: 'Desk', plural: 'Desks' },
  { value: 'EQUIPMENT', label: 'Equipment', plural: 'Equipment' },
];

const findResourceType = (type: ResourceType) => RESOURCE_TYPES.find(({ value }) => value === type);

export const formatResourceType = (type: ResourceType) => findResourceType(type)?.label ?? type;

export const formatResourceTypePlural = (type: ResourceType) =>
  findResourceType(type)?.plural ?? type;

interface ResourceOption {
  id: string;
  name: string;
  type: ResourceType;
  active: boolean;
}

/** The bookable resources as options of a select, grouped by type. */
export const toResourceOptions = (resources: ResourceOption[]) =>
  RESOURCE_TYPES.map(({ value, plural }) => ({
    group: plural,
    items: resources
      .filter(({ active, type }) => active && type === value)
      .map(({ id, name }) => ({ value: id, label: name })),
  })).filter(({ items }) => items.length > 0);

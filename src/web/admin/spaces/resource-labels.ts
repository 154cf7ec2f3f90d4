import type { ResourceType } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';

export const RESOURCE_TYPES: { value: ResourceType; label: string }[] = [
  { value: 'ROOM', label: 'Room' },
  { value: 'DESK', label: 'Desk' },
  { value: 'EQUIPMENT', label: 'Equipment' },
];

const findResourceType = (type: ResourceType) => RESOURCE_TYPES.find(({ value }) => value === type);

export const formatResourceType = (type: ResourceType) => findResourceType(type)?.label ?? type;

export const formatResourceTypePlural = (type: ResourceType) => getMemberText(`resource.${type}`);

interface ResourceOption {
  id: string;
  name: string;
  type: ResourceType;
  active: boolean;
}

/** The bookable resources as options of a select, grouped by type. */
export const toResourceOptions = (resources: ResourceOption[]) =>
  RESOURCE_TYPES.map(({ value }) => ({
    group: formatResourceTypePlural(value),
    items: resources
      .filter(({ active, type }) => active && type === value)
      .map(({ id, name }) => ({ value: id, label: name })),
  })).filter(({ items }) => items.length > 0);

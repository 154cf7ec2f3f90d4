import type { ResourceType } from '../../gql/graphql.ts';
import { formatResourceTypePlural, RESOURCE_TYPES } from '../spaces/resource-labels.ts';

interface GroupedResource {
  type: ResourceType;
  area: string | null;
}

/** The resources that a calendar shows. Null means all. */
export interface ResourceFilter {
  type: ResourceType | null;
  area: string | null;
}

interface ResourceGroup<Resource> {
  /** Such as "Desks · Second floor". */
  name: string;
  resources: Resource[];
}

/** Reads the filter from the URL. Types and areas that the location does not have are ignored. */
export function readResourceFilter(
  query: URLSearchParams,
  resources: readonly GroupedResource[],
): ResourceFilter {
  const type = query.get('type')?.toUpperCase();
  const area = query.get('area');
  return {
    type: listTypes(resources).find(({ value }) => value === type)?.value ?? null,
    area: listAreas(resources).find((known) => known === area) ?? null,
  };
}

/** The types that the resources have. */
export const listTypes = (resources: readonly GroupedResource[]) =>
  RESOURCE_TYPES.filter(({ value }) => resources.some(({ type }) => type === value));

/** The areas that the resources have, as people sort them: Floor 2 before Floor 10. */
export const listAreas = (resources: readonly GroupedResource[]): string[] =>
  [...new Set(resources.flatMap(({ area }) => area ?? []))].toSorted(
    new Intl.Collator(undefined, { numeric: true }).compare,
  );

/** Groups resources by type and area: rooms first, then desks. Those without an area come before the others of their type. */
export function groupResources<Resource extends GroupedResource>(
  resources: readonly Resource[],
  filter: ResourceFilter,
): ResourceGroup<Resource>[] {
  const shown = resources.filter(
    ({ type, area }) =>
      (filter.type === null || type === filter.type) &&
      (filter.area === null || area === filter.area),
  );
  return listTypes(shown).flatMap(({ value }) =>
    [null, ...listAreas(shown)].flatMap((area) => {
      const group = shown.filter((resource) => resource.type === value && resource.area === area);
      const plural = formatResourceTypePlural(value);
      const name = area === null ? plural : `${plural} · ${area}`;
      return group.length > 0 ? [{ name, resources: group }] : [];
    }),
  );
}

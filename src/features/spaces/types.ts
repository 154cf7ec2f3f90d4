import type { ResourceType } from '../../db/generated/enums.ts';

export const RESOURCE_TYPES = [
  'room',
  'desk',
  'equipment',
] as const satisfies readonly ResourceType[];

// The functions of locations, opening hours and resources that other features, imports and the command line use. The
// APIs of spaces import the commands and queries directly.

export {
  createLocation,
  getLocation,
  type Location,
  locationList,
  restrictLookupsToKiosks,
} from './locations.ts';
export {
  type Closure,
  countBookingsInClosures,
  findClosuresByLocation,
  findOpeningHoursByLocation,
  type OpeningHours,
} from './opening-hours.ts';
export {
  getResource,
  getResourceBySlug,
  RESOURCE_TYPES,
  type ResourceType,
  resourceList,
} from './resources.ts';

// What other features, jobs, imports and both APIs can do with locations, opening hours and resources.

export {
  createLocation,
  findLocationsByIds,
  getLocation,
  getLocationBySlug,
  type Location,
  listLocations,
  lockLocation,
  updateLocation,
} from './locations.ts';
export {
  type Closure,
  countBookingsInClosures,
  createClosure,
  deleteClosure,
  findClosuresByLocation,
  findOpeningHoursByLocation,
  type OpeningHours,
  setOpeningHours,
} from './opening-hours.ts';
export {
  type BookingRules,
  createResource,
  findResourcesByIds,
  getResource,
  getResourceBySlug,
  listResources,
  type Resource,
  type ResourceDetails,
  type ResourceFilter,
  type ResourceType,
  updateResource,
} from './resources.ts';

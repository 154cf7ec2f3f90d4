export * from './locations.ts';
export {
  createLocation,
  findLocationsByIds,
  getLocation,
  getLocationBySlug,
  listLocations,
  lockLocation,
  updateLocation,
} from './locations.ts';
export * from './opening-hours.ts';
export * from './opening-hours.ts';
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
export * from './resources.ts';
export {
  createResource,
  findResourcesByIds,
  getResource,
  getResourceBySlug,
  listResources,
  type ResourceDetails,
  updateResource,
} from './resources.ts';

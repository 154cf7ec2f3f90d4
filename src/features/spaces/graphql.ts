import './graphql/opening-hours.ts';
import './graphql/resources.ts';

export { Location, LookupAccess } from './graphql/locations.ts';
export { Resource, ResourceType } from './graphql/resources.ts';

import './closures/graphql.ts';
import './opening-hours/graphql.ts';
import './resources/edit/graphql.ts';

export { Location } from './locations/graphql.ts';
export { Resource, ResourceType } from './resources/graphql.ts';

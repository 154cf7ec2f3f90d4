export { Membership } from './graphql/memberships.ts';
export { Plan } from './graphql/plans.ts';

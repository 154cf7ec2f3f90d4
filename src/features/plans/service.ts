// The queries of plans that other features and the data loaders use. The API of plans imports its files directly.
export { findCurrentMemberships, membershipList } from './find-memberships.ts';
export { getPlan, planList } from './plans.ts';

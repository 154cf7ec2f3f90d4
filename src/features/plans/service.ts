// What other features, the data loaders and the demo use. The API of plans imports its files directly.
export { findCurrentMemberships, membershipList, toBookingMinutesSql } from './find-memberships.ts';
export { getPlan, planList, updatePlan } from './plans.ts';

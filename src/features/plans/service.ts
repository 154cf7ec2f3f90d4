export {
  createMembership,
  deleteMembership,
  endMembership,
  findCurrentMemberships,
  findMembershipsByHolder,
  listMemberships,
  sumMembershipUsage,
} from './memberships.ts';
export { createPlan, getPlan, listPlans, updatePlan } from './plans.ts';

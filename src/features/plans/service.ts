// What other features and both APIs can do with plans and memberships.

export {
  createMembership,
  deleteMembership,
  endMembership,
  findCurrentMemberships,
  findMembershipsByHolder,
  listMemberships,
  type Membership,
  type PlanUsage,
  sumMembershipUsage,
} from './memberships.ts';
export { type Benefit, createPlan, getPlan, listPlans, type Plan, updatePlan } from './plans.ts';

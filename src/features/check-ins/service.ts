// The functions of check-ins that other features and jobs use. The APIs of check-ins import the commands and queries directly.
export { purgeRejectedAttempts } from './attempt-log.ts';
export { endOverdueVisits, extendVisits } from './commands/check-out.ts';
export { purgeLookups } from './lookup/lookup-budget.ts';
export { attemptList } from './queries/list-attempts.ts';
export {
  createOccupancyFeed,
  findOccupancyByLocation,
  type Occupancy,
} from './queries/occupancy.ts';

/** Why a booking cannot be had, in the order in which they are told. */
export const REASONS = [
  'SLOT_TAKEN',
  'RESOURCE_INACTIVE',
  'MEMBER_INACTIVE',
  'CLOSED',
  'OUTSIDE_OPENING_HOURS',
  'TOO_SHORT',
  'TOO_LONG',
  'NOT_ON_GRID',
  'TOO_SOON',
  'TOO_FAR_AHEAD',
  'QUOTA_USED_UP',
] as const;
export type Reason = (typeof REASONS)[number];

/** What no permission helps against: two things in one place, and a resource that is out of use. */
const PHYSICS: readonly Reason[] = ['SLOT_TAKEN', 'RESOURCE_INACTIVE'];

export const isOverridable = (reason: Reason) => !PHYSICS.includes(reason);

/** One reason, with a sentence for a person. */
export interface Objection {
  reason: Reason;
  message: string;
}

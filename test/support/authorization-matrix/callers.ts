import { v7 } from 'uuid';

export type Caller =
  | 'anonymous'
  | 'member'
  | 'device'
  | 'token without'
  | 'token with'
  | 'front desk'
  | 'manager'
  | 'owner';

export const EVERYONE: Caller[] = [
  'anonymous',
  'member',
  'device',
  'token without',
  'token with',
  'front desk',
  'manager',
  'owner',
];
export const SIGNED_IN: Caller[] = ['member', 'front desk', 'manager', 'owner'];

/**
 * All callers for `npm run test:nightly`. `npm test` leaves out people who may do less than one who is rejected, or more than one who is
 * allowed.
 */
export function selectCallers(allowed: Caller[]): Caller[] {
  const first = SIGNED_IN.findIndex((caller) => allowed.includes(caller));
  const others = SIGNED_IN.slice(first).filter((caller) => !allowed.includes(caller));
  if (process.env.PROPERTY_RUNS !== undefined || first === -1 || others.length > 0) return EVERYONE;
  const kept = SIGNED_IN.slice(Math.max(0, first - 1), first + 1);
  return EVERYONE.filter((caller) => kept.includes(caller) || !SIGNED_IN.includes(caller));
}
export const STAFF: Caller[] = ['front desk', 'manager', 'owner'];
export const OWNERS: Caller[] = ['owner'];
export const MANAGERS: Caller[] = ['manager', 'owner'];
export const STAFF_AND_TOKENS: Caller[] = ['token with', 'front desk', 'manager', 'owner'];
export const MANAGERS_AND_TOKENS: Caller[] = ['token with', 'manager', 'owner'];
export const MEMBERS_STAFF_AND_TOKENS: Caller[] = [...STAFF_AND_TOKENS, 'member'];

/** Which callers an operation allows. Its request changes nothing if it is allowed. */
export interface Entry {
  /** A GraphQL document or a REST path. */
  request: string;
  /** The body of a POST. */
  body?: object;
  /** The scope that a token needs. Without it, no token is allowed. */
  scope?: string;
  allowed: Caller[];
}

export const UNKNOWN_ID = v7();

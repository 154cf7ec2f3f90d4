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
export const STAFF: Caller[] = ['front desk', 'manager', 'owner'];
export const OWNERS: Caller[] = ['owner'];
export const MANAGERS: Caller[] = ['manager', 'owner'];
export const STAFF_AND_TOKENS: Caller[] = ['token with', 'front desk', 'manager', 'owner'];
export const MANAGERS_AND_TOKENS: Caller[] = ['token with', 'manager', 'owner'];

/** Which callers an operation allows. Its request changes nothing if it is allowed: it has an unknown ID or a wrong password. */
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
export const FIRST_PAGE = '(first: 1) { edges { node { id } } }';

import { v7 } from 'uuid';

export type Who =
  | 'anonymous'
  | 'member'
  | 'device'
  | 'token without'
  | 'token with'
  | 'front desk'
  | 'manager'
  | 'owner';

export const EVERYBODY: Who[] = [
  'anonymous',
  'member',
  'device',
  'token without',
  'token with',
  'front desk',
  'manager',
  'owner',
];
export const SIGNED_IN: Who[] = ['member', 'front desk', 'manager', 'owner'];
export const OWNERS: Who[] = ['owner'];
export const MANAGERS: Who[] = ['manager', 'owner'];
export const STAFF_AND_TOKENS: Who[] = ['token with', 'front desk', 'manager', 'owner'];
export const MANAGERS_AND_TOKENS: Who[] = ['token with', 'manager', 'owner'];

/** Who may pass a door. Asked so that whoever passes changes nothing: a thing that is not there, a wrong password. */
export interface Entry {
  /** A query, or a path of the REST door. */
  ask: string;
  /** What a POST says. */
  body?: object;
  /** What a token needs; without one, no token has it. */
  scope?: string;
  may: Who[];
}

export const nobody = v7();
export const page = '(first: 1) { edges { node { id } } }';

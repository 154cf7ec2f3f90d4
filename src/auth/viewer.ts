import type { DisplayKind } from '../db/generated/client.ts';
import { DomainError, missingScope, unauthenticated } from '../errors.ts';
import { hasScope, NOUN_SCOPES, type Scope } from './scopes.ts';

export type StaffRole = 'owner' | 'manager' | 'front_desk';

/** The caller of a request. */
export type Viewer =
  | { kind: 'anonymous' }
  | { kind: 'token'; id: string; name: string; scopes: string[] }
  | { kind: 'staff'; id: string; name: string; role: StaffRole; sessionId: string }
  | { kind: 'member'; id: string; name: string; sessionId: string }
  | { kind: 'device'; id: string; name: string; display: DisplayKind; locationId: string }
  | { kind: 'system' }; // the command line and jobs

export const anonymous: Viewer = { kind: 'anonymous' };
export const system: Viewer = { kind: 'system' };

export const ROLE_SCOPES: Record<StaffRole, readonly Scope[]> = {
  owner: ['*'],
  // All current scopes, but not `*`: only owners can create tokens that also get future scopes.
  manager: NOUN_SCOPES,
  front_desk: [
    'bookings:read',
    'bookings:write',
    'spaces:read',
    'members:read',
    'members:write',
    'plans:read',
    'events:read',
    'orders:read',
    'orders:write',
    'day-passes:read',
    'day-passes:write',
    'check-ins:read',
    'check-ins:write',
    'displays:read',
  ],
};

/** Finds the roles that have a scope. */
export const findRolesWithScope = (scope: Scope): StaffRole[] =>
  (Object.keys(ROLE_SCOPES) as StaffRole[]).filter((role) => hasScope(ROLE_SCOPES[role], scope));

/** The roles with the access `staff:manage`. */
export const MANAGING_ROLES: StaffRole[] = ['owner', 'manager'];

/** Within these scopes the services show a member only their own rows and those open to members. */
const MEMBER_SCOPES: readonly Scope[] = [
  'bookings:read',
  'bookings:write',
  'spaces:read',
  'events:read',
];

export function getScopes(viewer: Viewer): readonly string[] {
  switch (viewer.kind) {
    case 'token':
      return viewer.scopes;
    case 'staff':
      return ROLE_SCOPES[viewer.role];
    case 'member':
      return MEMBER_SCOPES;
    case 'system':
      return ['*'];
    case 'anonymous':
    case 'device':
      return [];
  }
}

/** Identifies a caller, for idempotency keys and budgets. Anonymous callers are identified by their address. */
export function toCallerKey(viewer: Viewer, address: string): string {
  if ('id' in viewer) return `${viewer.kind}:${viewer.id}`;
  return viewer.kind === 'anonymous' ? `anonymous:${address}` : viewer.kind;
}

/** Whether the viewer has the scope. The services decide which rows the viewer can access. */
export const can = (viewer: Viewer, scope: Scope) => hasScope(getScopes(viewer), scope);

/**
 * Whether the viewer can read admission codes of tickets, day passes, orders and members. Anyone with a code gets in, so a
 * read scope is not enough. Viewers with a write scope can check people in even without the code.
 */
export const canReadCodes = (viewer: Viewer, scope: 'orders:write' | 'members:write') =>
  can(viewer, scope) || can(viewer, 'check-ins:write');

/** Whether the viewer sees every row of a noun rather than only their own: staff and tokens with the scope. */
export const canSeeAll = (viewer: Viewer, scope: Scope) =>
  viewer.kind !== 'member' && can(viewer, scope);

/** Returns the ID of the staff user who acts, or null if another caller does. */
export const getStaffId = (viewer: Viewer): string | null =>
  viewer.kind === 'staff' ? viewer.id : null;

/** The access that an operation requires. Public operations declare `public` explicitly. */
export type Access = 'public' | Scope | 'signed-in' | 'staff' | 'staff:manage' | 'staff:owner';

/** Checks the access of a caller. @throws UNAUTHENTICATED for anonymous callers, FORBIDDEN for others without the access. */
export function requireAccess(viewer: Viewer, access: Access): void {
  if (access === 'public' || viewer.kind === 'system') return;
  if (viewer.kind === 'anonymous') throw unauthenticated();
  if (access === 'signed-in') {
    if (viewer.kind === 'staff' || viewer.kind === 'member') return;
    throw new DomainError('FORBIDDEN', 'Sign in to do this.', { reason: 'SIGN_IN_NEEDED' });
  }
  if (access === 'staff') {
    if (viewer.kind === 'staff') return;
    throw new DomainError('FORBIDDEN', 'Only signed-in staff can do this.', {
      reason: 'STAFF_ONLY',
    });
  }
  if (access === 'staff:manage') {
    if (viewer.kind === 'staff' && MANAGING_ROLES.includes(viewer.role)) return;
    throw new DomainError('FORBIDDEN', 'Only signed-in owners and managers can do this.', {
      reason: 'MANAGER_NEEDED',
    });
  }
  if (access === 'staff:owner') {
    if (viewer.kind === 'staff' && viewer.role === 'owner') return;
    throw new DomainError('FORBIDDEN', 'Only owners can do this. Ask an owner of the space.', {
      reason: 'OWNER_NEEDED',
    });
  }
  if (!can(viewer, access)) throw missingScope(access);
}

/** Whether the viewer has the access. */
export function hasAccess(viewer: Viewer, access: Access): boolean {
  try {
    requireAccess(viewer, access);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/**
 * Checks that a caller grants no more than they have, by a token's scopes or a webhook's events.
 * @throws FORBIDDEN, reason MISSING_SCOPE, with the scopes that the viewer lacks.
 */
export function assertCanGrant(viewer: Viewer, scopes: Iterable<string>): void {
  const own = getScopes(viewer);
  const missing = [...new Set(scopes)].filter((scope) => !hasScope(own, scope));
  if (missing.length === 0) return;
  throw new DomainError(
    'FORBIDDEN',
    `You cannot grant scopes that you do not have: ${missing.join(', ')}.`,
    { reason: 'MISSING_SCOPE', scopes: missing },
  );
}

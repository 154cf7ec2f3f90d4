import type { DisplayKind } from '../db/generated/client.ts';
import { DomainError, missingScope, unauthenticated } from '../errors.ts';
import { hasScope, NOUN_SCOPES, type Scope } from './scopes.ts';

export type StaffRole = 'owner' | 'manager' | 'front_desk';

/** Who is calling. Made afresh for every request. */
export type Viewer =
  | { kind: 'anonymous' }
  | { kind: 'token'; id: string; name: string; scopes: string[] }
  | { kind: 'staff'; id: string; name: string; role: StaffRole; sessionId: string }
  | { kind: 'member'; id: string; name: string; sessionId: string }
  | { kind: 'device'; id: string; name: string; display: DisplayKind; locationId: string }
  | { kind: 'system' }; // the command line and timed work

export const anonymous: Viewer = { kind: 'anonymous' };
export const system: Viewer = { kind: 'system' };

export const ROLE_SCOPES: Record<StaffRole, readonly Scope[]> = {
  owner: ['*'],
  // All of today's permissions, but not `*`: a token that also has tomorrow's is for owners to create.
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

/** Of these a member sees only what is theirs or open to members: the services' `visible` sees to it. */
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

/** May this viewer use this verb at all? Which rows it touches is the service's question. */
export const can = (viewer: Viewer, scope: Scope) => hasScope(getScopes(viewer), scope);

/**
 * Whether this viewer can read codes that admit people: of tickets, day passes, orders and members. A code is as good as
 * the person, so reading is not enough; who may change the noun or check people in can do the same without the code.
 */
export const canReadCodes = (viewer: Viewer, scope: 'orders:write' | 'members:write') =>
  can(viewer, scope) || can(viewer, 'check-ins:write');

/** Sees every row of a noun, not just its own: staff and tokens with the scope. */
export const canSeeAll = (viewer: Viewer, scope: Scope) =>
  viewer.kind !== 'member' && can(viewer, scope);

/** What an entry asks of its caller; `public` is a scope too, written down. */
export type Access = 'public' | Scope | 'signed-in' | 'staff:manage' | 'staff:owner';

/** Throws UNAUTHENTICATED when nobody is there, FORBIDDEN when somebody is and may not. */
export function requireAccess(viewer: Viewer, access: Access): void {
  if (access === 'public' || viewer.kind === 'system') return;
  if (viewer.kind === 'anonymous') throw unauthenticated();
  if (access === 'signed-in') {
    if (viewer.kind === 'staff' || viewer.kind === 'member') return;
    throw new DomainError('FORBIDDEN', 'This is for people who have signed in.', {
      reason: 'SIGN_IN_NEEDED',
    });
  }
  if (access === 'staff:manage') {
    if (viewer.kind === 'staff' && viewer.role !== 'front_desk') return;
    throw new DomainError('FORBIDDEN', 'This is for owners and managers who have signed in.', {
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

/**
 * Nobody hands on more than they have: neither by a token's scopes nor by what a webhook receives.
 * @throws FORBIDDEN, reason MISSING_SCOPE, with the scopes that the viewer lacks.
 */
export function assertCanGrant(viewer: Viewer, scopes: Iterable<string>): void {
  const own = getScopes(viewer);
  const missing = [...new Set(scopes)].filter((scope) => !hasScope(own, scope));
  if (missing.length === 0) return;
  throw new DomainError(
    'FORBIDDEN',
    `You cannot hand on rights that you do not have yourself: ${missing.join(', ')}.`,
    { reason: 'MISSING_SCOPE', scopes: missing },
  );
}

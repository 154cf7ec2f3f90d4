import { DomainError } from '../errors.ts';
import { covers } from './scopes.ts';
import { scopesOf, type Viewer } from './viewer.ts';

/**
 * Nobody hands on more than they have: neither by a token's scopes nor by what a webhook receives.
 * @throws FORBIDDEN, reason MISSING_SCOPE, with the scopes that the viewer lacks.
 */
export function assertCanGrant(viewer: Viewer, scopes: Iterable<string>): void {
  const own = scopesOf(viewer);
  const missing = [...new Set(scopes)].filter((scope) => !covers(own, scope));
  if (missing.length === 0) return;
  throw new DomainError(
    'FORBIDDEN',
    `You cannot hand on rights that you do not have yourself: ${missing.join(', ')}.`,
    { reason: 'MISSING_SCOPE', scopes: missing },
  );
}

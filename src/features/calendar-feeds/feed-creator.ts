import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { DomainError, unauthenticated } from '../../errors.ts';

// A feed belongs to the person who made it: a staff user or a member. Each request reads it with the rights that this person
// has at that moment, as if they were signed in.

export type FeedCreatorKind = 'staff' | 'member';

/** The person who made a feed. */
export interface FeedCreator {
  kind: FeedCreatorKind;
  name: string;
}

/**
 * SQL: whether the URL of the row `feed` works. It is not revoked, its member is not a former one, and its creator could read
 * it now: a staff user with one of `roles`, which is an SQL array, or the member themselves.
 */
export const isFeedActiveSql = (feed: string, roles: string) => `${feed}.revoked_at IS NULL
  AND NOT EXISTS (SELECT FROM members shown WHERE shown.id = ${feed}.member_id AND shown.status = 'former')
  AND EXISTS (SELECT FROM users creator LEFT JOIN members own ON own.id = creator.member_id
    WHERE creator.id = ${feed}.created_by_id AND creator.disabled_at IS NULL AND (creator.role::text = ANY (${roles})
      OR own.status <> 'former' AND (${feed}.member_id IS NULL OR ${feed}.member_id = own.id)))`;

/**
 * Returns the id of the account of the caller, who makes a feed. The session of a member stays locked until the transaction
 * ends, so that a change of address, which ends sessions and feeds, does not miss the new feed.
 *
 * @throws FORBIDDEN for callers who are not signed in as a person; UNAUTHENTICATED if the session has ended meanwhile
 */
export async function lockFeedCreator({ db, viewer }: Context): Promise<string> {
  assertCanMakeFeeds(viewer);
  if (viewer.kind === 'staff') return viewer.id;
  const [session] = await db.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM sessions WHERE id = ${viewer.sessionId}::uuid FOR SHARE`;
  if (session === undefined) throw unauthenticated();
  return session.userId;
}

/** @throws FORBIDDEN, reason SIGN_IN_NEEDED */
export function assertCanMakeFeeds(
  viewer: Viewer,
): asserts viewer is Extract<Viewer, { kind: FeedCreatorKind }> {
  if (viewer.kind === 'staff' || viewer.kind === 'member') return;
  throw new DomainError(
    'FORBIDDEN',
    'Only people can create calendar feeds, which end with their account. Sign in instead.',
    { reason: 'SIGN_IN_NEEDED' },
  );
}

import type { Viewer } from '../../auth/viewer.ts';
import { toRecordSql, toStatusSql } from '../../journal/record-changes.ts';

interface StatusChangesSql {
  /** The table of the changed rows of `display_heartbeats`, with their `previous_status`. */
  changed: string;
  actorKind: Viewer['kind'];
  /** SQL of the actor. */
  actorId: string;
}

/** SQL that records changed statuses of displays in the journal, at the time at which each status began. */
export const toRecordStatusSql = ({ changed, actorKind, actorId }: StatusChangesSql) =>
  toRecordSql({
    subject: 'display',
    type: `'display.' || changed.status::text`,
    source: `${changed} changed JOIN displays row ON row.id = changed.display_id CROSS JOIN LATERAL (
      SELECT '${actorKind}'::actor_kind AS actor_kind, ${actorId} AS actor_id, NULL::text AS job, NULL::text AS address,
        NULL::text AS request_id, NULL::text AS agent, coalesce(changed.status_since, now()) AS at) origin
      WHERE changed.status <> changed.previous_status`,
    before: toStatusSql('changed.previous_status'),
    after: toStatusSql('changed.status'),
  });

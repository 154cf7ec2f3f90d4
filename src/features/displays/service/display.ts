import { requireAccess } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { DisplayKind, DisplayStatus, Display as Row } from '../../../db/generated/client.ts';
import { type Projection, projectRow } from '../../../db/json-projection.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { projectFields } from '../../../rows/projection.ts';
import { toLocationProjection, toResourceProjection } from '../../spaces/types.ts';
import { displayRow, ONLINE_WITHIN_SECONDS, STALE_WITHIN_SECONDS } from '../rows.ts';
import type { Telemetry } from './heartbeats.ts';

export const DISPLAY_KINDS = displayRow.columns.kind.schema.options;

/** A paired screen. Only the hash of its token is stored. */
export interface Display extends Omit<Row, HiddenColumn>, Telemetry {
  status: DisplayStatus;
  lastSeenAt: Date | null;
  location: { id: string; name: string };
  resource: { id: string; name: string } | null;
}

type HiddenColumn = keyof (typeof DISPLAY_QUERY)['omit'];

const ID_AND_NAME = { select: { id: true, name: true } } as const;
export const DISPLAY_QUERY = {
  omit: {
    tokenHash: true,
    previousTokenHash: true,
    previousTokenUntil: true,
    locationId: true,
    resourceId: true,
  },
  include: {
    location: ID_AND_NAME,
    resource: ID_AND_NAME,
    heartbeat: {
      select: { lastSeenAt: true, appVersion: true, uptimeSeconds: true, batteryPercent: true },
    },
  },
} as const;

type StoredDisplay = Omit<Display, 'status' | 'lastSeenAt' | keyof Telemetry> & {
  heartbeat: (Telemetry & { lastSeenAt: Date | null }) | null;
};

const NO_HEARTBEAT = {
  lastSeenAt: null,
  appVersion: null,
  uptimeSeconds: null,
  batteryPercent: null,
};

/** Converts a row to a display with its status at `now`. */
export function toDisplay({ heartbeat, ...row }: StoredDisplay, now: Date): Display {
  const telemetry = heartbeat ?? NO_HEARTBEAT;
  return {
    ...row,
    ...telemetry,
    status: toDisplayStatus(row.revokedAt, telemetry.lastSeenAt, now),
  };
}

/** Projects a display with its status at `clock.now`. */
export const toDisplayProjection = (row: string): Projection => ({
  ...projectFields(displayRow, row),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
  resource: projectRow('resources', `${row}.resource_id`, toResourceProjection),
});

/** As in `displayRow`. */
function toDisplayStatus(
  revokedAt: Date | null,
  lastSeenAt: Date | null,
  now: Date,
): DisplayStatus {
  if (revokedAt !== null) return 'revoked';
  if (lastSeenAt === null) return 'offline';
  const silentSeconds = (now.getTime() - lastSeenAt.getTime()) / 1000;
  if (silentSeconds < ONLINE_WITHIN_SECONDS) return 'online';
  return silentSeconds < STALE_WITHIN_SECONDS ? 'stale' : 'offline';
}

/** Gets a display. @throws NOT_FOUND. */
export async function getDisplay({ db, now }: Context, id: string): Promise<Display> {
  const row = await db.display.findUnique({ ...DISPLAY_QUERY, where: { id } });
  if (row === null) throw notFound('display');
  return toDisplay(row, now());
}

/** Returns the error for an update that matched no row, because the display does not exist or is revoked. */
export async function toUpdateError({ db }: Context, id: string): Promise<DomainError> {
  if ((await db.display.count({ where: { id } })) === 0) return notFound('display');
  return new DomainError(
    'CONFLICT',
    'This display was revoked. Pair its screen as a new display.',
    { reason: 'DISPLAY_REVOKED' },
  );
}

/**
 * Checks that the caller may let a screen admit people, as kiosks do.
 * @throws FORBIDDEN, reason MISSING_SCOPE, for a kiosk without `check-ins:write`.
 */
export function assertCanAdmit({ viewer }: Context, kind: DisplayKind): void {
  if (kind === 'kiosk') requireAccess(viewer, 'check-ins:write');
}

/** The kind of a display and the place that it shows. */
interface Placement {
  kind: DisplayKind;
  locationId: string;
  resourceId: string | null;
}

/**
 * Checks the location and the resource of a display.
 * @throws NOT_FOUND for an unknown location or a resource of another location; VALIDATION, reason RESOURCE_NEEDED, for a room
 *   panel without a resource.
 */
export async function assertPlacement(
  { db }: Context,
  { kind, locationId, resourceId }: Placement,
): Promise<void> {
  if (kind === 'room_panel' && resourceId === null) {
    throw new DomainError('VALIDATION', 'resourceId: A room panel needs a resource.', {
      reason: 'RESOURCE_NEEDED',
      fields: ['resourceId'],
    });
  }
  if ((await db.location.count({ where: { id: locationId } })) === 0)
    throw notFound('location', locationId);
  if (
    resourceId !== null &&
    (await db.resource.count({ where: { id: resourceId, locationId } })) === 0
  ) {
    throw new DomainError('NOT_FOUND', 'This location has no such resource.', {
      reason: 'NOT_FOUND',
    });
  }
}

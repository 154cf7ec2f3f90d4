import type { Context } from '../../context.ts';
import type { DisplayKind, Display as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { ONLINE_WITHIN_SECONDS, STALE_WITHIN_SECONDS, type Telemetry } from './heartbeats.ts';

export type { DisplayKind };

export const DISPLAY_KINDS = ['room_panel', 'event_board', 'welcome', 'kiosk'] as const;
export const DISPLAY_STATUSES = ['online', 'stale', 'offline', 'revoked'] as const;

export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/** A paired device on a wall. Its token is kept nowhere. */
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
    updatedAt: true,
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

/** A row as it is told, with its status at this moment. */
export function toDisplay({ heartbeat, ...row }: StoredDisplay, now: Date): Display {
  const heard = heartbeat ?? NO_HEARTBEAT;
  return { ...row, ...heard, status: toDisplayStatus(row.revokedAt, heard.lastSeenAt, now) };
}

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

/** Throws NOT_FOUND. */
export async function getDisplay({ db, now }: Context, id: string): Promise<Display> {
  const row = await db.display.findUnique({ ...DISPLAY_QUERY, where: { id } });
  if (row === null) throw notFound('display');
  return toDisplay(row, now());
}

/** Why a change of a display touched no row: there is none, or it is revoked. */
export async function toUpdateError({ db }: Context, id: string): Promise<DomainError> {
  if ((await db.display.count({ where: { id } })) === 0) return notFound('display');
  return new DomainError(
    'CONFLICT',
    'This display is revoked, which is for good. Pair its screen as a new display.',
    { reason: 'DISPLAY_REVOKED' },
  );
}

/** Where it hangs and what it shows there. */
interface Placement {
  kind: DisplayKind;
  locationId: string;
  resourceId: string | null;
}

/** Throws NOT_FOUND for the location or a resource that is not there, VALIDATION for a room panel without a resource. */
export async function assertPlacement(
  { db }: Context,
  { kind, locationId, resourceId }: Placement,
): Promise<void> {
  if (kind === 'room_panel' && resourceId === null) {
    throw new DomainError('VALIDATION', 'resourceId: a room panel shows one resource; say which.', {
      reason: 'RESOURCE_NEEDED',
    });
  }
  if ((await db.location.count({ where: { id: locationId } })) === 0) throw notFound('location');
  if (
    resourceId !== null &&
    (await db.resource.count({ where: { id: resourceId, locationId } })) === 0
  ) {
    throw new DomainError('NOT_FOUND', 'No such resource at this location.', {
      reason: 'NOT_FOUND',
    });
  }
}

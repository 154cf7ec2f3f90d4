import { createSecret } from '../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../context.ts';
import type { Page, PageRequest } from '../../core/pagination.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../core/time/time-zone.ts';
import type { DisplayStatusChange } from '../../db/generated/client.ts';
import { type Projection, projectInstant, projectUnescaped } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { listRows } from '../../db/read-list.ts';
import { DomainError } from '../../errors.ts';
import {
  assertPlacement,
  DISPLAY_KINDS,
  DISPLAY_QUERY,
  type Display,
  type DisplayKind,
  type DisplayStatus,
  getDisplay,
  toDisplay,
  toUpdateError,
} from './display.ts';
import { type DisplayFilter, displayList } from './list-displays.ts';

export { type DisplayFilter, displayList } from './list-displays.ts';
export { DISPLAY_KINDS, type Display, type DisplayKind, type DisplayStatus };

export interface DisplayWithToken {
  /** Shown only once. */
  deviceToken: string;
  display: Display;
}

/** Lists displays by name, including revoked ones. */
export const listDisplays = (
  ctx: Context,
  filter: DisplayFilter,
  page: PageRequest,
): Promise<Page<Display>> => listRows(ctx, displayList, filter, page);

export type StatusChange = Pick<DisplayStatusChange, 'id' | 'previousStatus' | 'status' | 'at'>;

/** Projects a change of status. */
export const toStatusChangeProjection = (row: string) =>
  ({
    id: projectUnescaped(`${row}.id`),
    previousStatus: projectUnescaped(`${row}.previous_status`),
    status: projectUnescaped(`${row}.status`),
    at: projectUnescaped(projectInstant(`${row}.at`)),
  }) satisfies Projection & Record<keyof StatusChange, unknown>;

// Reads the latest changes of each display, so that an unstable display does not displace the others.
const LATEST_STATUS_CHANGES = prepareStatement(`
  SELECT change.* FROM unnest($1::uuid[]) display (id) CROSS JOIN LATERAL (
    SELECT id, display_id AS "displayId", previous_status AS "previousStatus", status, at, recorded_at AS "recordedAt" FROM display_status_changes
    WHERE display_id = display.id ORDER BY at DESC, recorded_at DESC, id DESC LIMIT $2::int) change
  ORDER BY change.at DESC, change."recordedAt" DESC, change.id DESC`);

/** Finds the latest `last` status changes of each display, newest first, by display id. */
export async function findStatusChanges(
  { pipelinedSql }: Context,
  ids: string[],
  last: number,
): Promise<Map<string, StatusChange[]>> {
  const changesById = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  const rows = await pipelinedSql<StatusChange & { displayId: string }>(LATEST_STATUS_CHANGES, [
    ids,
    last,
  ]);
  for (const { displayId, ...change } of rows) changesById.get(displayId)?.push(change);
  return changesById;
}

/**
 * Creates a display with a device token, which is shown only once.
 * @throws as `assertPlacement`.
 */
export async function createDisplay(
  ctx: Context,
  input: { name: string; kind: DisplayKind; locationId: string; resourceId?: string | undefined },
): Promise<DisplayWithToken> {
  const { name, kind, locationId, resourceId = null } = input;
  await assertPlacement(ctx, { kind, locationId, resourceId });
  const { plainText, hash, prefix } = createSecret('deviceToken');
  const { id } = await ctx.db.display.create({
    data: {
      name,
      kind,
      locationId,
      resourceId,
      tokenHash: hash,
      tokenPrefix: prefix,
      createdAt: ctx.now(),
    },
    select: { id: true },
  });
  return { deviceToken: plainText, display: await getDisplay(ctx, id) };
}

interface DisplayChanges {
  name?: string | undefined;
  kind?: DisplayKind | undefined;
  /** Null removes the resource. */
  resourceId?: string | null | undefined;
}

/**
 * Updates a display. Omitted fields stay unchanged.
 * @throws NOT_FOUND; CONFLICT, reason DISPLAY_REVOKED; and as `assertPlacement`.
 */
export function updateDisplay(ctx: Context, id: string, changes: DisplayChanges): Promise<Display> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // Without the lock, two concurrent updates could together create a room panel without a resource.
    await db.$queryRaw`SELECT 1 FROM displays WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const row = await db.display.findUnique({ where: { id, revokedAt: null } });
    if (row === null) throw await toUpdateError(ctx, id);
    const { kind = row.kind, resourceId = row.resourceId } = changes;
    await assertPlacement(ctx, { kind, resourceId, locationId: row.locationId });
    const updated = await db.display.update({ ...DISPLAY_QUERY, where: { id }, data: changes });
    return toDisplay(updated, ctx.now());
  });
}

const MAX_OVERLAP_MINUTES = DAY_MINUTES;

/**
 * Replaces the token of a display. The old token stays valid for `overlapMinutes` (0 to 1,440). A token that is
 * still valid from an earlier rotation ends immediately.
 * @throws VALIDATION; NOT_FOUND; CONFLICT, reason DISPLAY_REVOKED.
 */
export function rotateDisplayToken(
  ctx: Context,
  id: string,
  overlapMinutes: number,
): Promise<DisplayWithToken> {
  if (overlapMinutes < 0 || overlapMinutes > MAX_OVERLAP_MINUTES) {
    throw new DomainError(
      'VALIDATION',
      `overlapMinutes must be from 0 to ${MAX_OVERLAP_MINUTES} (one day).`,
      { reason: 'INVALID_INPUT' },
    );
  }
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    const now = ctx.now();
    // With the lock, the second of two concurrent rotations sees the token of the first, so that both tokens stay valid.
    await db.$queryRaw`SELECT 1 FROM displays WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const old = await db.display.findUnique({ where: { id, revokedAt: null } });
    if (old === null) throw await toUpdateError(ctx, id);
    const { plainText, hash, prefix } = createSecret('deviceToken');
    const rotated = await db.display.update({
      ...DISPLAY_QUERY,
      where: { id },
      data: {
        tokenHash: hash,
        tokenPrefix: prefix,
        ...(overlapMinutes === 0
          ? NO_PREVIOUS_TOKEN
          : {
              previousTokenHash: old.tokenHash,
              previousTokenUntil: new Date(now.getTime() + overlapMinutes * MINUTE_MS),
            }),
      },
    });
    return { deviceToken: plainText, display: toDisplay(rotated, now) };
  });
}

const NO_PREVIOUS_TOKEN = { previousTokenHash: null, previousTokenUntil: null };

/**
 * Revokes a display permanently: its next poll fails with any of its tokens. Does nothing if it is already revoked.
 * @throws NOT_FOUND.
 */
export async function revokeDisplay(ctx: Context, id: string): Promise<Display> {
  await ctx.db.display.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: ctx.now(), ...NO_PREVIOUS_TOKEN },
  });
  return getDisplay(ctx, id);
}

export { createDeviceGateway, type DeviceGateway } from './device-gateway.ts';
export { compactContentChanges } from './device-lookup.ts';
export {
  purgeStatusChanges,
  recordHeartbeats,
  STALE_WITHIN_SECONDS,
  type Telemetry,
} from './heartbeats.ts';
export { purgePairings } from './pairing.ts';
export { createSilenceMonitor, markSilentDisplays } from './silence-monitor.ts';
export { createDisplayStatusFeed, type DisplayStatusEvent } from './status-changes.ts';

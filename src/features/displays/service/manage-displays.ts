import { createSecret } from '../../../auth/tokens.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { DomainError } from '../../../errors.ts';
import { recordAction, recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { listRows } from '../../../lists/read-list.ts';
import { restrictLookupsToKiosks } from '../../spaces/service/locations.ts';
import type { createDisplayInput, updateDisplayInput } from '../inputs.ts';
import {
  assertCanAdmit,
  assertPlacement,
  DISPLAY_QUERY,
  type Display,
  getDisplay,
  toDisplay,
  toUpdateError,
} from './display.ts';
import { type DisplayFilter, displayList } from './list-displays.ts';

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

/**
 * Creates a display with a device token, which is shown only once.
 * @throws as `assertCanAdmit` and `assertPlacement`.
 *
 * @example
 * const { deviceToken } = await createDisplay(ctx, { name: 'Entrance', locationId, kind: 'welcome' });
 */
export async function createDisplay(
  ctx: Context,
  input: InputOf<typeof createDisplayInput>,
): Promise<DisplayWithToken> {
  const { name, kind, locationId, resourceId = null } = input;
  assertCanAdmit(ctx, kind);
  await assertPlacement(ctx, { kind, locationId, resourceId });
  const { plainText, hash, prefix } = createSecret('deviceToken');
  const token = { tokenHash: hash, tokenPrefix: prefix };
  const data = { name, kind, locationId, resourceId, ...token, createdAt: ctx.now() };
  const id = await runInTransaction(ctx, async (ctx) => {
    const { id } = await ctx.db.display.create({ data, select: { id: true } });
    await recordCreated(ctx, 'display.created', [id]);
    if (kind === 'kiosk') await restrictLookupsToKiosks(ctx, locationId);
    return id;
  });
  return { deviceToken: plainText, display: await getDisplay(ctx, id) };
}

/**
 * Updates a display. Omitted fields stay unchanged.
 * @throws NOT_FOUND; CONFLICT, reason DISPLAY_REVOKED; and as `assertCanAdmit` and `assertPlacement`.
 */
export function updateDisplay(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateDisplayInput>, 'id'>,
): Promise<Display> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    // Without the lock, two concurrent updates could together create a room panel without a resource.
    await db.$queryRaw`SELECT 1 FROM displays WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const row = await db.display.findUnique({ where: { id, revokedAt: null } });
    if (row === null) throw await toUpdateError(ctx, id);
    const { kind = row.kind, resourceId = row.resourceId } = changes;
    if (kind !== row.kind) assertCanAdmit(ctx, kind);
    await assertPlacement(ctx, { kind, resourceId, locationId: row.locationId });
    if (kind === 'kiosk') await restrictLookupsToKiosks(ctx, row.locationId);
    const updated = await recordUpdated(ctx, 'display.updated', [id], () =>
      db.display.update({ ...DISPLAY_QUERY, where: { id }, data: changes }),
    );
    return toDisplay(updated, ctx.now());
  });
}

const MAX_OVERLAP_MINUTES = DAY_MINUTES;

/**
 * Replaces the token of a display. The old token stays valid for `overlapMinutes` (0 to 1,440). A token that is
 * still valid from an earlier rotation ends immediately.
 * @throws VALIDATION; NOT_FOUND; CONFLICT, reason DISPLAY_REVOKED; and as `assertCanAdmit`.
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
      { reason: 'INVALID_INPUT', fields: ['overlapMinutes'] },
    );
  }
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    const now = ctx.now();
    // With the lock, the second of two concurrent rotations sees the token of the first, so that both tokens stay valid.
    await db.$queryRaw`SELECT 1 FROM displays WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const old = await db.display.findUnique({ where: { id, revokedAt: null } });
    if (old === null) throw await toUpdateError(ctx, id);
    assertCanAdmit(ctx, old.kind);
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
    await recordAction(ctx, 'display.token_rotated', [id]);
    return { deviceToken: plainText, display: toDisplay(rotated, now) };
  });
}

const NO_PREVIOUS_TOKEN = { previousTokenHash: null, previousTokenUntil: null };

/**
 * Revokes a display permanently: its next poll fails with any of its tokens. Does nothing if it is already revoked.
 * @throws NOT_FOUND.
 */
export async function revokeDisplay(ctx: Context, id: string): Promise<Display> {
  await runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'display.revoked', [id], () =>
      ctx.db.display.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: ctx.now(), ...NO_PREVIOUS_TOKEN },
      }),
    ),
  );
  return getDisplay(ctx, id);
}

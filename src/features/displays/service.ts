import { makeSecret } from '../../auth/secrets.ts';
import type { Ctx } from '../../context.ts';
import type { DisplayKind, Display as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../page.ts';

export type { DisplayKind };

type DisplayStatus = 'online' | 'stale' | 'offline' | 'revoked';

/** A paired device on a wall. Its token is kept nowhere. */
export interface Display
  extends Omit<Row, 'tokenHash' | 'locationId' | 'resourceId' | 'updatedAt'> {
  status: DisplayStatus;
  location: { id: string; name: string };
  resource: { id: string; name: string } | null;
}

const NAMED = { select: { id: true, name: true } } as const;
const SHOWN = {
  omit: { tokenHash: true, locationId: true, resourceId: true, updatedAt: true },
  include: { location: NAMED, resource: NAMED },
} as const;

const ONLINE_WITHIN_SECONDS = 150;
const STALE_WITHIN_SECONDS = 300;

interface DisplayFilter {
  locationId?: string | undefined;
}

/** By name, revoked ones too. */
export async function list(
  ctx: Ctx,
  { locationId }: DisplayFilter,
  page: PageRequest,
): Promise<Page<Display>> {
  const rows = await ctx.db.display.findMany({
    ...SHOWN,
    where: { ...(locationId ? { locationId } : {}), ...afterName(page) },
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(
    rows.map((row) => withStatus(row, ctx.now())),
    page.limit,
  );
}

/**
 * Gives the device's token this once. Throws NOT_FOUND for the location or a resource that is not there, VALIDATION
 * for a room panel without a resource.
 */
export async function create(
  ctx: Ctx,
  input: { name: string; kind: DisplayKind; locationId: string; resourceId?: string | undefined },
): Promise<{ deviceToken: string; display: Display }> {
  const { name, kind, locationId, resourceId = null } = input;
  if (kind === 'room_panel' && resourceId === null) {
    throw new DomainError('VALIDATION', 'resourceId: a room panel shows one resource; say which.', {
      reason: 'RESOURCE_NEEDED',
    });
  }
  if ((await ctx.db.location.count({ where: { id: locationId } })) === 0)
    throw notFound('location');
  if (
    resourceId !== null &&
    (await ctx.db.resource.count({ where: { id: resourceId, locationId } })) === 0
  ) {
    throw new DomainError('NOT_FOUND', 'No such resource at this location.');
  }
  const { plainText, hash, prefix } = makeSecret('deviceToken');
  const row = await ctx.db.display.create({
    ...SHOWN,
    data: {
      name,
      kind,
      locationId,
      resourceId,
      tokenHash: hash,
      tokenPrefix: prefix,
      createdAt: ctx.now(),
    },
  });
  return { deviceToken: plainText, display: withStatus(row, ctx.now()) };
}

/** Its next poll is refused. Doing it twice changes nothing. Throws NOT_FOUND. */
export async function revoke(ctx: Ctx, id: string): Promise<Display> {
  await ctx.db.display.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: ctx.now() },
  });
  const row = await ctx.db.display.findUnique({ ...SHOWN, where: { id } });
  if (row === null) throw notFound('display');
  return withStatus(row, ctx.now());
}

const withStatus = (row: Omit<Display, 'status'>, now: Date): Display => ({
  ...row,
  status: statusOf(row, now),
});

function statusOf(
  { revokedAt, lastSeenAt }: Pick<Row, 'revokedAt' | 'lastSeenAt'>,
  now: Date,
): DisplayStatus {
  if (revokedAt !== null) return 'revoked';
  if (lastSeenAt === null) return 'offline';
  const silentSeconds = (now.getTime() - lastSeenAt.getTime()) / 1000;
  if (silentSeconds < ONLINE_WITHIN_SECONDS) return 'online';
  return silentSeconds < STALE_WITHIN_SECONDS ? 'stale' : 'offline';
}

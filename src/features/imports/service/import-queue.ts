import { getStaffId, requireAccess } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { unauthenticated } from '../../../errors.ts';

/**
 * Runs an import, or undoes one, once no other is running in this process. Reads the file within, so that those who wait need no memory.
 * Nobody can give up the file with `fileId` meanwhile.
 *
 * @throws UNAVAILABLE while too many wait, or if the caller disconnects during the wait; UNAUTHENTICATED or FORBIDDEN if the viewer was signed out or disabled, or got another role, during the wait
 */
export async function importInTurn<Result>(
  ctx: Context,
  work: () => Promise<Result>,
  fileId?: string,
): Promise<Result> {
  const { imports, importFiles } = ctx.queues;
  const file = fileId === undefined ? null : { fileId };
  if (file !== null) importFiles.add(file);
  try {
    const run = async () => {
      await assertStillManages(ctx);
      return work();
    };
    return await imports(getStaffId(ctx.viewer) ?? '', run, { getSignal: ctx.getDisconnectSignal });
  } finally {
    if (file !== null) importFiles.delete(file);
  }
}

/** Reads the session and the account again: the request was checked before the wait, which can take minutes. */
async function assertStillManages({ db, now, viewer }: Context): Promise<void> {
  if (viewer.kind !== 'staff') return;
  const session = await db.session.findUnique({
    where: { id: viewer.sessionId, expiresAt: { gt: now() } },
    select: { user: { select: { role: true, disabledAt: true } } },
  });
  const user = session?.user;
  if (!user?.role || user.disabledAt !== null) throw unauthenticated();
  requireAccess({ ...viewer, role: user.role }, 'staff:manage');
}

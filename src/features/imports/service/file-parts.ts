import { v7 } from 'uuid';
import { getStaffId } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { addImportFilePartInput } from '../inputs.ts';

// Files larger than a request, which are sent in parts before they are imported.

const PARTS_PER_STATEMENT = 20;

/** Files that one person has sent and not imported yet. Each can have 16 MB. */
const MAX_OPEN_FILES = 2;

/**
 * Stores a part of a file for up to a day. Returns the id of the file, which the first part creates. A part that is sent again
 * replaces itself. A person who begins another file while two are open gives up the oldest, so nobody can fill the database, and an
 * upload that was interrupted is in nobody's way. A file whose import waits in this process is kept. Callers check that the viewer manages the space.
 *
 * @throws NOT_FOUND for a file that does not exist any more, or that someone else sends
 */
export async function addImportFilePart(
  ctx: Context,
  { fileId, position, content }: InputOf<typeof addImportFilePartInput>,
): Promise<string> {
  const bytes = Buffer.from(content, 'base64');
  if (fileId === undefined) return beginFile(ctx, position, bytes);
  await assertOwnFile(ctx, fileId);
  const { db, now, viewer } = ctx;
  const key = { fileId, position };
  await db.importFilePart.upsert({
    where: { fileId_position: key },
    create: { ...key, content: bytes, sentById: getStaffId(viewer), createdAt: now() },
    update: { content: bytes },
    select: { id: true },
  });
  return fileId;
}

/** Locks the account, so that requests at the same time cannot begin more files. */
const beginFile = (
  ctx: Context,
  position: number,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> =>
  runInTransaction(ctx, async ({ db, now, viewer, queues }) => {
    const sentById = getStaffId(viewer);
    await db.$executeRaw`SELECT FROM users WHERE id = ${sentById}::uuid FOR NO KEY UPDATE`;
    // A person can have only a few imports waiting, so these files are few too.
    const queued = [...queues.importFiles].map(({ fileId }) => fileId);
    const open = await db.importFilePart.findMany({
      where: { sentById, position: 0, fileId: { notIn: queued } },
      orderBy: [{ createdAt: 'desc' }, { fileId: 'desc' }],
      skip: MAX_OPEN_FILES - 1,
      select: { fileId: true },
    });
    const givenUp = open.map(({ fileId }) => fileId);
    await db.importFilePart.deleteMany({ where: { fileId: { in: givenUp } } });
    const fileId = v7();
    await db.importFilePart.create({
      data: { fileId, position, content, sentById, createdAt: now() },
      select: { id: true },
    });
    return fileId;
  });

/** Only its sender can add to a file and import it. Parts without a sender are those of older versions. @throws NOT_FOUND */
async function assertOwnFile({ db, viewer }: Context, fileId: string): Promise<void> {
  const senders = await db.importFilePart.groupBy({ by: ['sentById'], where: { fileId } });
  const isForeign = senders.some(
    ({ sentById }) => sentById !== null && sentById !== getStaffId(viewer),
  );
  if (senders.length === 0 || isForeign) throw notFound('import file');
}

/**
 * Reads a file that the viewer has sent in parts.
 *
 * @throws NOT_FOUND; VALIDATION, reason IMPORT_FILE_INCOMPLETE, if a part is missing
 */
export async function readImportFile(ctx: Context, fileId: string): Promise<Uint8Array> {
  await assertOwnFile(ctx, fileId);
  const { db } = ctx;
  const contents: Uint8Array[] = [];
  for (;;) {
    const parts = await db.importFilePart.findMany({
      where: { fileId, position: { gte: contents.length } },
      orderBy: { position: 'asc' },
      take: PARTS_PER_STATEMENT,
      select: { position: true, content: true },
    });
    for (const { position, content } of parts) {
      if (position !== contents.length)
        throw new DomainError(
          'VALIDATION',
          `Part ${contents.length} of the file is missing. Send it, and import the file again.`,
          { reason: 'IMPORT_FILE_INCOMPLETE', fields: ['fileId'] },
        );
      contents.push(content);
    }
    if (parts.length < PARTS_PER_STATEMENT) break;
  }
  return Buffer.concat(contents);
}

/** Deletes the parts of a file that was imported. */
export async function deleteImportFile({ db }: Context, fileId: string): Promise<void> {
  await db.importFilePart.deleteMany({ where: { fileId } });
}

/** Deletes the parts of files that nobody has imported within a day. Returns how many. */
export async function purgeImportFiles({ db, now }: Context): Promise<number> {
  const { count } = await db.importFilePart.deleteMany({
    where: { createdAt: { lte: new Date(+now() - DAY_MS) } },
  });
  return count;
}

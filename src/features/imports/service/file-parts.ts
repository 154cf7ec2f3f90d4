import { v7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { addImportFilePartInput } from '../inputs.ts';

// Files larger than a request, which are sent in parts before they are imported.

const PARTS_PER_STATEMENT = 20;

/**
 * Stores a part of a file for up to a day. Returns the id of the file, which the first part creates. A part that is sent again
 * replaces itself. Callers check that the viewer manages the space.
 *
 * @throws NOT_FOUND for a file that does not exist any more
 */
export async function addImportFilePart(
  { db, now }: Context,
  { fileId, position, content }: InputOf<typeof addImportFilePartInput>,
): Promise<string> {
  if (fileId !== undefined && !(await db.importFilePart.findFirst({ where: { fileId } })))
    throw notFound('import file');
  const key = { fileId: fileId ?? v7(), position };
  const bytes = Buffer.from(content, 'base64');
  await db.importFilePart.upsert({
    where: { fileId_position: key },
    create: { ...key, content: bytes, createdAt: now() },
    update: { content: bytes },
    select: { id: true },
  });
  return key.fileId;
}

/** Reads a file that was sent in parts. @throws NOT_FOUND; VALIDATION, reason IMPORT_FILE_INCOMPLETE, if a part is missing */
export async function readImportFile({ db }: Context, fileId: string): Promise<Uint8Array> {
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
  if (contents.length === 0) throw notFound('import file');
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

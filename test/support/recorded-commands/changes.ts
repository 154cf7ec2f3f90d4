import type { Context } from '../../../src/context.ts';
import type { Change } from '../../../src/db/generated/client.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../../../src/journal/catalog.ts';
import { SUBJECTS } from '../../../src/journal/subjects.ts';

/** Returns the changes that are recorded during `work`, in order, and expects their fields to be those of their subjects. */
export async function collectChanges({ db }: Context, work: () => unknown): Promise<Change[]> {
  const skip = await db.change.count();
  await work();
  const changes = await db.change.findMany({ orderBy: { sequence: 'asc' }, skip });
  for (const { type, before, after, redacted } of changes) {
    expect(CHANGE_TYPES).toContain(type);
    const { fields } = SUBJECTS[toSubjectName(type as ChangeType)];
    if (redacted)
      expect(Object.keys(fields.shape)).toEqual(
        expect.arrayContaining(Object.keys({ ...(before as object), ...(after as object) })),
      );
    else if (before === null || after === null) fields.strict().parse(before ?? after);
    else {
      for (const side of [before, after]) fields.partial().strict().parse(side);
      expect(Object.keys(before).sort()).toEqual(Object.keys(after).sort());
    }
  }
  return changes;
}

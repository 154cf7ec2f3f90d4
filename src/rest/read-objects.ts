import { z } from 'zod';
import { canReadCodes } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { isUuid } from '../core/ids.ts';
import { MAX_LIMIT } from '../core/pagination.ts';
import { uuid } from '../core/validation.ts';
import { createParameters, prepareStatement } from '../db/prepared-statement.ts';
import { notFound } from '../errors.ts';
import { readKeys } from '../lists/read-list.ts';
import type { ListRules } from '../lists/row-list.ts';
import type { RestObject } from '../objects/row-object.ts';

/** How objects are read: in a list, whose conditions decide which the caller sees, and as REST shows them. */
export interface ObjectSource {
  list: ListRules;
  object: RestObject;
  /** Which objects are listed, if not all that the caller sees. */
  filter?: object;
}

/** The query parameter of lists that selects objects by id. */
export const idsParameter = z
  .string()
  .max(MAX_LIMIT * 40)
  .transform((text) => text.split(','))
  .pipe(z.array(uuid).max(MAX_LIMIT, `must have at most ${MAX_LIMIT} ids`))
  .optional()
  .meta({
    description: `Only the objects with these ids, separated by commas, at most ${MAX_LIMIT}. They come in this order on one page. Unknown ids are left out.`,
  });

/** Gets an object that the caller sees in its list. @throws NOT_FOUND */
export async function readObject(
  ctx: Context,
  source: ObjectSource,
  id: string,
  noun: string,
): Promise<object> {
  const [object] = isUuid(id) ? await readObjectsById(ctx, source, [id]) : [];
  if (object === undefined) throw notFound(noun);
  return object;
}

/** Finds the objects that the caller sees in their list, in the order of the ids. The primary key finds them. */
export async function readObjectsById(
  ctx: Context,
  { list, object }: ObjectSource,
  ids: string[],
  filter: object = {},
): Promise<object[]> {
  const { where, table } = list;
  const parameters = createParameters();
  const wanted = parameters.bind(ids, 'uuid[]');
  const conditions = where('listed', filter, { ...ctx, ...parameters });
  const text = `SELECT listed.id FROM ${table} listed WHERE ${[`listed.id = ANY (${wanted})`, ...conditions].join(' AND ')}`;
  const rows = await ctx.pipelinedSql<{ id: string }>(prepareStatement(text), parameters.values);
  const visible = new Set(rows.map(({ id }) => id));
  const unique = new Set(ids.map((id) => id.toLowerCase()));
  return findInOrder(
    ctx,
    object,
    [...unique].filter((id) => visible.has(id)),
  );
}

interface ObjectPage {
  objects: object[];
  nextCursor: string | null;
}

/** Lists the objects that the caller sees. @throws BAD_REQUEST for an invalid cursor */
export async function readObjectPage(
  ctx: Context,
  { list, object, filter = {} }: ObjectSource,
  page: { limit: number; cursor?: string | undefined },
): Promise<ObjectPage> {
  const { keys, hasMore } = await readKeys(ctx, list, filter, page);
  const objects = await findInOrder(
    ctx,
    object,
    keys.map(({ id }) => id),
  );
  return { objects, nextCursor: hasMore ? (keys.at(-1)?.cursor ?? null) : null };
}

async function findInOrder(ctx: Context, object: RestObject, ids: string[]): Promise<object[]> {
  if (ids.length === 0) return [];
  const { codeScope } = object;
  const showsCodes = codeScope !== undefined && canReadCodes(ctx.viewer, codeScope);
  const found = await object.find(ctx, ids, { showsCodes });
  // A row can be deleted between the two statements.
  return ids.flatMap((id) => found.get(id) ?? []);
}

import { type Context, runInTransaction } from '../../../context.ts';
import { toSlug } from '../../../core/slug.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import type { createResourcesInput, updateResourcesInput } from '../inputs.ts';
import {
  assertConsistentRules,
  omitUndefined,
  resolveDurations,
  toHourlyPriceColumns,
} from '../resource-rules.ts';
import { getLocation } from './locations.ts';
import { RESOURCE_SELECTION, type Resource, toResource } from './resources.ts';

/**
 * Creates numbered resources that are the same otherwise, in the order of their numbers: all or none. Numbers have at least two
 * digits, so that they also sort where names are compared as text.
 *
 * @throws NOT_FOUND for the location, CONFLICT that names the slugs in use, VALIDATION for contradictory rules
 *
 * @example
 * await createResources(ctx, { namePrefix: 'Desk', count: 60, locationId, type: 'desk' });
 */
export async function createResources(
  ctx: Context,
  input: InputOf<typeof createResourcesInput>,
): Promise<Resource[]> {
  await getLocation(ctx, input.locationId);
  const { pricePerHour, namePrefix, slugPrefix, count, firstNumber, ...rest } = input;
  const shared = { ...rest, ...resolveDurations(input), ...toHourlyPriceColumns(pricePerHour) };
  assertConsistentRules(shared);
  const names = numberNames(namePrefix, getSlugPrefix(input), { firstNumber, count });
  return runInTransaction(ctx, async (ctx) => {
    await assertSlugsUnused(ctx, names);
    const rows = await rejectDuplicate('One of the short names', 'slugPrefix', () =>
      ctx.db.resource.createManyAndReturn({
        ...RESOURCE_SELECTION,
        data: names.map((name) => ({ ...shared, ...name })),
      }),
    );
    await recordCreated(
      ctx,
      'resource.created',
      rows.map(({ id }) => id),
    );
    return rows.map(toResource);
  });
}

function getSlugPrefix({
  namePrefix,
  slugPrefix = toSlug(namePrefix, 90),
}: Pick<InputOf<typeof createResourcesInput>, 'namePrefix' | 'slugPrefix'>): string {
  if (slugPrefix !== '') return slugPrefix;
  const message = 'is missing: namePrefix has no letters or digits that a slug can have';
  throw new DomainError('VALIDATION', `slugPrefix: ${message}.`, {
    reason: 'INVALID_INPUT',
    fields: [{ field: 'slugPrefix', message }],
  });
}

const MIN_DIGITS = 2;

/** A single resource has no number, unless the caller names a number other than the first. */
function numberNames(
  namePrefix: string,
  slugPrefix: string,
  { firstNumber, count }: { firstNumber: number; count: number },
) {
  if (count === 1 && firstNumber === 1) return [{ name: namePrefix, slug: slugPrefix }];
  const digits = Math.max(MIN_DIGITS, String(firstNumber + count - 1).length);
  return Array.from({ length: count }, (_, index) => {
    const number = String(firstNumber + index).padStart(digits, '0');
    return { name: `${namePrefix} ${number}`, slug: `${slugPrefix}-${number}` };
  });
}

const MAX_NAMED = 5;

/** The unique index decides. This names the conflicts. @throws CONFLICT */
async function assertSlugsUnused({ db }: Context, names: { slug: string }[]): Promise<void> {
  const used = await db.resource.findMany({
    where: { slug: { in: names.map(({ slug }) => slug) } },
    select: { slug: true },
    orderBy: { slug: 'asc' },
  });
  if (used.length === 0) return;
  const slugs = used.map(({ slug }) => slug);
  const message = `${listSome(slugs)} already ${slugs.length === 1 ? 'exists' : 'exist'}, so nothing was created. Choose another first number or short name.`;
  throw new DomainError('CONFLICT', message, { reason: 'TAKEN', fields: ['slugPrefix'], slugs });
}

/** "Desk 01, Desk 02 and 3 more". */
const listSome = (names: string[]) =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : new Intl.ListFormat('en-GB').format(names);

/**
 * Makes the same changes to several resources: to all or none. Omitted fields and existing bookings stay unchanged.
 *
 * @returns the resources in the order of the input
 * @throws NOT_FOUND, VALIDATION with the reason CHANGED_MEANWHILE that names the resources that someone else has changed,
 *   VALIDATION that names a resource whose resulting rules contradict each other
 */
export function updateResources(
  ctx: Context,
  { resources, pricePerHour, ...changes }: InputOf<typeof updateResourcesInput>,
): Promise<Resource[]> {
  // PostgreSQL returns ids in lower case.
  const versions = new Map(resources.map(({ id, ifUpdatedAt }) => [id.toLowerCase(), ifUpdatedAt]));
  const ids = [...versions.keys()];
  const data = { ...changes, ...toHourlyPriceColumns(pricePerHour) };
  return runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'resource.updated', ids, async () => {
      // The resources are locked, as in `updateResource`.
      const stored = await findResources(ctx, ids);
      if (stored.length < ids.length) throw notFound('resource');
      assertVersions(stored, versions);
      for (const resource of stored) assertRulesOf({ ...resource, ...omitUndefined(changes) });
      await ctx.db.resource.updateMany({ where: { id: { in: ids } }, data });
      const updated = new Map((await findResources(ctx, ids)).map((row) => [row.id, row]));
      return ids.flatMap((id) => updated.get(id) ?? []);
    }),
  );
}

async function findResources({ db }: Context, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({
    ...RESOURCE_SELECTION,
    where: { id: { in: ids } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(toResource);
}

function assertVersions(stored: Resource[], versions: Map<string, Date | undefined>): void {
  const changed = stored.filter(({ id, updatedAt }) => {
    const version = versions.get(id);
    return version !== undefined && version.getTime() !== updatedAt.getTime();
  });
  if (changed.length === 0) return;
  const names = listSome(changed.map(({ name }) => name));
  throw new DomainError(
    'VALIDATION',
    `Someone else changed ${names} after you read them, so nothing was changed. Read them again, then change them.`,
    { reason: 'CHANGED_MEANWHILE', ids: changed.map(({ id }) => id) },
  );
}

function assertRulesOf(resource: Resource): void {
  try {
    assertConsistentRules(resource);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `${resource.name}: ${error.message}`, error.details);
  }
}

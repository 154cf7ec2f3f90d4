import type { Context } from '../context.ts';
import type { Location } from '../db/generated/client.ts';
import { DomainError } from '../errors.ts';

/** Finds the location of the option --location. @throws NOT_FOUND with the slugs of all locations. */
export async function findLocationOption({ db }: Context, slug: string): Promise<Location> {
  const location = await db.location.findUnique({ where: { slug } });
  if (location !== null) return location;
  const slugs = (await db.location.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug);
  throw new DomainError(
    'NOT_FOUND',
    slugs.length > 0
      ? `--location: No such location. Choose from ${slugs.join(', ')}.`
      : 'No location exists yet. Create one in the admin panel first.',
    { reason: 'NOT_FOUND' },
  );
}

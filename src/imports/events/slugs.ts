import { createHash } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { wallClock } from '../../time.ts';
import { inBatches } from '../batches.ts';
import type { Placed } from './places.ts';

const LONGEST_TITLE = 60;

/** An address for each event, by its UID, that no other event has. */
export async function slugsFor(db: Ctx['db'], events: Placed[]): Promise<Map<string, string>> {
  const wanted = events.map(({ occurrence: { uid, title, startsAt }, location }) => ({
    uid,
    slug: `${words(title)}-${wallClock(startsAt, location.timeZone).slice(0, 10)}`,
  }));
  const found = await inBatches(wanted, (batch) =>
    db.event.findMany({
      where: { slug: { in: batch.map(({ slug }) => slug) } },
      select: { slug: true },
    }),
  );
  const taken = new Set(found.map(({ slug }) => slug));
  const slugs = new Map<string, string>();
  for (const { uid, slug } of wanted) {
    const free = taken.has(slug) ? distinct(slug, uid) : slug;
    taken.add(free);
    slugs.set(uid, free);
  }
  return slugs;
}

/** "Yoga für alle!" is "yoga-fur-alle". */
function words(title: string): string {
  const plain = title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_TITLE)
    .replace(/^-+|-+$/g, '');
  return plain || 'event';
}

/** By its UID, so that it does not depend on what came first. */
const distinct = (slug: string, uid: string) =>
  `${slug}-${createHash('sha256').update(uid).digest('hex').slice(0, 8)}`;

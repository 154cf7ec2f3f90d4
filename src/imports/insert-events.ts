import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { toSnakeCaseKeys } from '../core/letter-case.ts';
import { toSlug } from '../core/slug.ts';
import { toLocalDate } from '../core/time/time-zone.ts';
import type { Location } from '../db/generated/client.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { EVENT_LIMITS } from '../features/events/rows.ts';
import type { ImportedEventFields } from '../features/imports/service/change-events.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { mapInBatches } from './batches.ts';
import type { Occurrence } from './calendar/series.ts';
import type { OnProgress } from './report.ts';
import { truncateToField } from './truncate-to-field.ts';

/** An occurrence with the location that its text names. */
export interface LocatedOccurrence {
  occurrence: Occurrence;
  location: Location;
}

// One parameter for all rows: Prisma takes longer, and nobody else can use the embedded database meanwhile.
const INSERT_EVENTS = prepareStatement(`
  INSERT INTO events (id, slug, title, description, status, visibility, location_id, starts_at, ends_at, tags, published_at,
    import_uid, import_revision, created_at, updated_at)
  SELECT r.id, r.slug, r.title, r.description, r.status, r.visibility, r.location_id, r.starts_at, r.ends_at, r.tags,
    r.published_at, r.import_uid, 1, $2::timestamptz, $2::timestamptz
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, slug text, title text, description text, status event_status,
    visibility event_visibility, location_id uuid, starts_at timestamptz, ends_at timestamptz, tags text[],
    published_at timestamptz, import_uid text)
  ON CONFLICT DO NOTHING RETURNING id::text AS id, import_uid AS "importUid"`);

/** Adds events, as drafts or published. Returns their ids by UID. */
export async function insertEvents(
  ctx: Context,
  events: LocatedOccurrence[],
  { publish, onProgress }: { publish: boolean; onProgress?: OnProgress | undefined },
) {
  const slugs = await assignSlugs(ctx.db, events);
  const write = async (batch: LocatedOccurrence[]) => {
    const rows = batch.map(({ occurrence, location }) =>
      toSnakeCaseKeys({
        ...toImportedFields(occurrence, location),
        id: v7(),
        slug: slugs.get(occurrence.uid) ?? occurrence.uid,
        status: publish ? 'published' : 'draft',
        publishedAt: publish ? ctx.now() : null,
        importUid: occurrence.uid,
      }),
    );
    const added = await ctx.lockingSql<{ id: string; importUid: string }>(INSERT_EVENTS, [
      JSON.stringify(rows),
      ctx.now(),
    ]);
    const ids = added.map(({ id }) => id);
    await recordCreated(ctx, 'event.created', ids);
    return added;
  };
  const added = await mapInBatches(events, write, onProgress);
  return new Map(added.map(({ id, importUid }) => [importUid, id]));
}

/** What an event gets from its entry. */
export function toImportedFields(
  occurrence: Occurrence,
  location: Location,
): Omit<ImportedEventFields, 'status'> {
  const { title, categories, isPrivate, startsAt, endsAt } = occurrence;
  return {
    title: truncateToField(title, EVENT_LIMITS.titleLength),
    description:
      truncateToField(formatDescription(occurrence, location), EVENT_LIMITS.descriptionLength) ||
      null,
    startsAt,
    endsAt,
    visibility: isPrivate ? 'members' : 'public',
    tags: [
      ...new Set(
        categories.map((category) =>
          truncateToField(category.toLowerCase(), EVENT_LIMITS.tagLength),
        ),
      ),
    ].slice(0, EVENT_LIMITS.tags),
    locationId: location.id,
  };
}

export const isEventTooLong = ({ occurrence, location }: LocatedOccurrence): boolean =>
  occurrence.title.length > EVENT_LIMITS.titleLength ||
  formatDescription(occurrence, location).length > EVENT_LIMITS.descriptionLength;

/** The description with the web page and, unless it is the name of the location, the place. */
function formatDescription({ description, url, location: place }: Occurrence, { name }: Location) {
  const isNamed = place === null || normalizeLocationName(place) === normalizeLocationName(name);
  const parts = [
    description,
    isNamed ? null : place,
    description?.includes(url ?? '\0') ? null : url,
  ];
  return parts.filter(Boolean).join('\n\n');
}

export const normalizeLocationName = (text: string) => text.trim().toLowerCase();

const MAX_SLUG_LENGTH = 60;

/** Assigns a unique slug to each event, by its UID. */
async function assignSlugs(
  db: Context['db'],
  events: LocatedOccurrence[],
): Promise<Map<string, string>> {
  const candidates = events.map(({ occurrence: { uid, title, startsAt }, location }) => ({
    uid,
    slug: `${slugifyTitle(title)}-${toLocalDate(startsAt, location.timeZone)}`,
  }));
  const rows = await mapInBatches(candidates, (batch) =>
    db.event.findMany({
      where: { slug: { in: batch.map(({ slug }) => slug) } },
      select: { slug: true },
    }),
  );
  const usedSlugs = new Set(rows.map(({ slug }) => slug));
  const slugs = new Map<string, string>();
  for (const { uid, slug } of candidates) {
    const uniqueSlug = usedSlugs.has(slug) ? addUidSuffix(slug, uid) : slug;
    usedSlugs.add(uniqueSlug);
    slugs.set(uid, uniqueSlug);
  }
  return slugs;
}

const slugifyTitle = (title: string) => toSlug(title, MAX_SLUG_LENGTH) || 'event';

/** The suffix depends only on the UID, so that the order of imports does not matter. */
const addUidSuffix = (slug: string, uid: string) =>
  `${slug}-${createHash('sha256').update(uid).digest('hex').slice(0, 8)}`;

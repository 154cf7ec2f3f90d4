import type { Scope } from '../../../auth/scopes.ts';
import { can, type Viewer } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { type ChangeFeed, createChangeFeed, type FeedOptions } from '../../../core/change-feed.ts';
import { projectInstant } from '../../../db/json-projection.ts';
import { type Bind, prepareStatement, type Statement } from '../../../db/prepared-statement.ts';
import { DomainError, missingScope } from '../../../errors.ts';
import { assignPositions } from '../../../journal/assign-positions.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../../../journal/catalog.ts';
import { createPoll, MAX_POLLED } from '../../../journal/poll-changes.ts';
import { toIsDeletedSql, toPublicChanges } from '../../../journal/public-changes.ts';
import { SUBJECTS, type SubjectName } from '../../../journal/subjects.ts';
import { matchEnum, type RowList } from '../../../lists/row-list.ts';

/** What happened to one object, who did it, and which fields changed. */
export interface Change {
  id: string;
  position: number;
  type: ChangeType;
  subjectType: SubjectName;
  subjectId: string | null;
  /** The id of what changed, and for settings, which have none, a name such as `email_template:booking-confirmed`. */
  subjectKey: string;
  locationId: string | null;
  actor: Actor;
  /** Null if it was not made by a job. */
  job: string | null;
  /** The client's IPv4 address or IPv6 /64. */
  address: string | null;
  requestId: string | null;
  /** What a program that called a tool says it is. */
  agent: string | null;
  at: string;
  /** Whether the object no longer exists, because of this change or a later one. */
  isDeleted: boolean;
  /** Whether personal data was removed from the values. */
  isRedacted: boolean;
  /** With the names and shapes of REST. Null if the object was created. */
  before: Record<string, unknown> | null;
  /** Null if the object was deleted. */
  after: Record<string, unknown> | null;
}

type StoredChange = Omit<Change, 'subjectKey'>;

/** Who made a change. Without an id for anonymous callers, jobs and the command line. */
export interface Actor {
  kind: Viewer['kind'];
  id: string | null;
  /** Null if it no longer exists. */
  name: string | null;
}

interface ChangeFilter {
  /** Also `booking.*` for all of a noun. */
  types?: string[] | undefined;
  subjectIds?: string[] | undefined;
  actorIds?: string[] | undefined;
  locationId?: string | undefined;
  /** The half-open range [from, to) of the time of the change. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The types whose changes the viewer can read: those of nouns that the viewer can read. */
const listReadableTypes = (viewer: Viewer): ChangeType[] =>
  CHANGE_TYPES.filter((type) => can(viewer, toReadScope(type)));

function toReadScope(type: ChangeType): Scope {
  const { noun } = SUBJECTS[toSubjectName(type)];
  return noun === '*' ? '*' : `${noun}:read`;
}

/**
 * Returns the selected types, by default all that the viewer can read.
 *
 * @throws FORBIDDEN, reason MISSING_SCOPE, if one of the names stands for types that the viewer cannot read
 */
function selectTypes(viewer: Viewer, names: string[] | null | undefined): ChangeType[] {
  const readable = listReadableTypes(viewer);
  if (names == null) return readable;
  const selected = CHANGE_TYPES.filter(
    (type) => names.includes(type) || names.includes(`${toSubjectName(type)}.*`),
  );
  const hidden = selected.find((type) => !readable.includes(type));
  if (hidden !== undefined) throw missingScope(toReadScope(hidden));
  return selected;
}

/**
 * Changes, by default the oldest first. Callers must check `webhooks:read` and call `assignPositions` before.
 *
 * @throws as `selectTypes`
 */
export const changeList: RowList<Change, ChangeFilter, 'POSITION'> = {
  name: 'changes',
  table: 'changes',
  sortKeys: { POSITION: { column: 'position', type: 'bigint', label: 'order of the changes' } },
  defaultOrder: 'POSITION_ASC',
  where: (row, { types, subjectIds, actorIds, locationId, from, to }, { viewer, bind }) => {
    const conditions = [`${row}.position IS NOT NULL`];
    const selected = selectTypes(viewer, types);
    if (selected.length === 0) return ['false'];
    if (selected.length < CHANGE_TYPES.length) conditions.push(matchEnum(`${row}.type`, selected));
    if (subjectIds) conditions.push(matchIds(`${row}.subject_id`, subjectIds, bind));
    if (actorIds) conditions.push(matchIds(`${row}.actor_id`, actorIds, bind));
    if (locationId) conditions.push(`${row}.location_id = ${bind(locationId, 'uuid')}`);
    if (from) conditions.push(`${row}.at >= ${bind(from, 'timestamptz')}`);
    if (to) conditions.push(`${row}.at < ${bind(to, 'timestamptz')}`);
    return conditions;
  },
  getWeeks: ({ types, from, to, ...others }, { viewer }) =>
    selectTypes(viewer, types).length > CHANGE_TYPES.length / 2 &&
    Object.values(others).every((value) => value == null)
      ? { column: 'at', from, to }
      : null,
  findByIds: (ctx, ids) => readChanges(ctx, FIND_CHANGES, [ids]),
};

/** One id is compared as such, so that an index of it and the position finds the page. */
const matchIds = (column: string, ids: string[], bind: Bind) =>
  ids.length === 1
    ? `${column} = ${bind(ids[0], 'uuid')}`
    : `${column} = ANY (${bind(ids, 'uuid[]')})`;

const COLUMNS = `c.id, c.position::float8 AS position, c.type, split_part(c.type, '.', 1) AS "subjectType", c.subject_id AS "subjectId", c.location_id AS "locationId",
  jsonb_build_object('kind', c.actor_kind, 'id', c.actor_id, 'name', coalesce(
    (SELECT name FROM users WHERE id = c.actor_id), (SELECT name FROM members WHERE id = c.actor_id),
    (SELECT name FROM api_tokens WHERE id = c.actor_id), (SELECT name FROM displays WHERE id = c.actor_id))) AS actor,
  c.job, c.address, c.request_id AS "requestId", c.agent, ${projectInstant('c.at')} AS at, ${toIsDeletedSql('c')} AS "isDeleted",
  c.redacted AS "isRedacted", c.before, c.after`;

/** Reads changes, with the names and shapes of REST. */
const readChanges = async (ctx: Context, statement: Statement, values: unknown[]) =>
  toPublicChanges(ctx, await ctx.pipelinedSql<StoredChange>(statement, values));

const FIND_CHANGES = prepareStatement(
  `SELECT ${COLUMNS} FROM changes c WHERE c.id = ANY ($1::uuid[])`,
);

/** The number of changes that one call looks at, so that rare types cost no more than others. */
const MAX_SCANNED = 10_000;

const READ_BOUNDS = prepareStatement(`
  SELECT (SELECT position FROM journal_head)::float8 AS last,
    (SELECT position FROM changes WHERE position IS NOT NULL ORDER BY position LIMIT 1)::float8 AS first`);

const READ_CHANGES = prepareStatement(`
  SELECT ${COLUMNS} FROM changes c
  WHERE c.position > $1::bigint AND c.position <= $2::bigint AND c.type = ANY ($3::text[])
  ORDER BY c.position LIMIT $4::int`);

interface Synchronization {
  /** The position that the last call returned, or 0 for the oldest changes, or `latest` for none but the position. */
  after: number | 'latest';
  types: string[] | undefined;
  limit: number;
  /** The name of `after` in the input of the API, for its errors. */
  cursorField?: string;
}

interface SynchronizedChanges {
  changes: Change[];
  /** The position after which the next call continues. It is that of the last change, or further if others were left out. */
  next: number;
}

/**
 * Returns the next changes for a program that synchronizes, oldest first, with every change that was committed before the
 * call. Callers must check `webhooks:read`.
 *
 * @throws as `selectTypes`; BAD_REQUEST, reason CURSOR_EXPIRED, if changes after that position have been deleted; reason BAD_CURSOR if there
 * is no such position yet
 */
export async function synchronizeChanges(
  ctx: Context,
  { after, types, limit, cursorField = 'cursor' }: Synchronization,
): Promise<SynchronizedChanges> {
  await assignPositions(ctx);
  const [bounds] = await ctx.pipelinedSql<{ last: number; first: number | null }>(READ_BOUNDS, []);
  const { last = 0, first = null } = bounds ?? {};
  if (after === 'latest') return { changes: [], next: last };
  if (after > last) throw unknownCursor(cursorField);
  if (after > 0 && after < (first ?? last + 1) - 1) throw cursorExpired();
  const end = Math.min(last, Math.max(after, (first ?? 1) - 1) + MAX_SCANNED);
  const changes = await readChanges(ctx, READ_CHANGES, [
    after,
    end,
    selectTypes(ctx.viewer, types),
    limit,
  ]);
  return { changes, next: changes.length === limit ? (changes.at(-1)?.position ?? end) : end };
}

const cursorExpired = () =>
  new DomainError(
    'BAD_REQUEST',
    'Changes after this cursor have been deleted. Get a new one with cursor=latest, load everything again, then continue with it.',
    { reason: 'CURSOR_EXPIRED' },
  );

const unknownCursor = (field: string) =>
  new DomainError(
    'BAD_REQUEST',
    'The journal has no such position yet. Continue after one that you have received: next_cursor of REST, or position of a change.',
    { reason: 'BAD_CURSOR', fields: [field] },
  );

const READ_LATEST = prepareStatement(`
  SELECT ${COLUMNS} FROM changes c WHERE c.position > $1::bigint AND c.position <= $2::bigint
  ORDER BY c.position LIMIT ${MAX_POLLED}`);

/** The number of changes that a subscription reads at once which continues after a position. */
const CATCH_UP_SIZE = 100;

/** Creates the feed that all subscribers of a process share. It begins with the changes from then on. */
export const createJournalFeed = (ctx: Context, options?: FeedOptions): ChangeFeed<Change> =>
  createChangeFeed(() => {
    const poll = createPoll<StoredChange>(ctx, READ_LATEST);
    return async () => toPublicChanges(ctx, await poll());
  }, options);

interface WatchedChanges {
  types?: string[] | null | undefined;
  subjectIds?: string[] | null | undefined;
  /** The position of the last change that the caller has. By default, it gets only new ones. */
  after?: number | null | undefined;
}

/**
 * Yields changes that the viewer can read, of any instance. `getContext` returns the context with the viewer at that moment.
 *
 * @throws as `selectTypes`; as `synchronizeChanges` if `after` is given
 */
export async function* watchChanges(
  feed: ChangeFeed<Change>,
  getContext: () => Context,
  { types, subjectIds, after }: WatchedChanges,
  signal: AbortSignal,
): AsyncGenerator<Change[], void, void> {
  const selected = new Set<string>(selectTypes(getContext().viewer, types));
  const changes =
    after == null
      ? feed.listen(signal)
      : resumeChanges(feed, getContext, { types: types ?? undefined, after }, signal);
  for await (const batch of changes) {
    const { viewer } = getContext();
    yield batch.filter(
      (change) =>
        selected.has(change.type) &&
        canReadChange(viewer, change) &&
        (!subjectIds || subjectIds.includes(change.subjectId ?? '')),
    );
  }
}

/** Yields the changes after a position, then new ones. Each comes once, in order. */
async function* resumeChanges(
  feed: ChangeFeed<Change>,
  getContext: () => Context,
  { types, after }: { types: string[] | undefined; after: number },
  signal: AbortSignal,
): AsyncGenerator<Change[], void, void> {
  let position = after;
  async function* catchUp(): AsyncGenerator<Change[], void, void> {
    for (let previous = -1; previous !== position && !signal.aborted; ) {
      const options = { after: position, types, limit: CATCH_UP_SIZE, cursorField: 'after' };
      const { changes, next } = await synchronizeChanges(getContext(), options);
      [previous, position] = [position, next];
      yield changes;
    }
  }

  const live = feed.listen(signal);
  const first = live.next();
  first.catch(() => {}); // it is awaited below, unless the reading fails before
  try {
    yield* catchUp();
    // From its first changes on, the feed misses nothing. What was made before is read.
    await first;
    yield* catchUp();
    for await (const changes of live) yield changes.filter((change) => change.position > position);
  } finally {
    void live.return();
  }
}

/** Whether the viewer can see where changes came from. Other API keys and members see no addresses of clients. */
export const canSeeAddresses = (viewer: Viewer): boolean =>
  viewer.kind === 'staff' || can(viewer, '*');

/** Whether the viewer can read the change. */
export const canReadChange = (viewer: Viewer, { type }: Change): boolean =>
  can(viewer, toReadScope(type));

import { type Context, runInTransaction } from '../../../context.ts';
import { DAY_MS } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import {
  type ErasedSubject,
  recordErased,
  recordPurged,
} from '../../../journal/record-erasures.ts';
import { POLICIES, type PolicyKey, type Purge, type RetentionPolicy } from '../policies.ts';

/** A policy with its current period. */
export interface EffectivePolicy extends Omit<RetentionPolicy, 'purge'> {
  key: PolicyKey;
  /** Null if the rows are stored indefinitely. */
  days: number | null;
  /** Its version. `NEVER_CHANGED` if it was never changed. */
  updatedAt: Date;
}

/** The version of a policy that was never changed, so that the first two editors cannot overwrite each other either. */
const NEVER_CHANGED = new Date(0);

const POLICY_KEYS = Object.keys(POLICIES) as PolicyKey[];
const getPolicy = (key: PolicyKey): RetentionPolicy => POLICIES[key];

const isPolicyKey = (key: string): key is PolicyKey => Object.hasOwn(POLICIES, key);

/** Lists every policy with its current period. */
export async function listPolicies({ db }: Context): Promise<EffectivePolicy[]> {
  const settings = await db.retentionSetting.findMany();
  const changed = new Map(settings.map((setting) => [setting.policy, setting]));
  return POLICY_KEYS.map((key) => {
    const { purge: _, ...policy } = getPolicy(key);
    const { days, updatedAt } = changed.get(key) ?? {
      days: policy.defaultDays,
      updatedAt: NEVER_CHANGED,
    };
    return { key, ...policy, days, updatedAt };
  });
}

/**
 * Changes the period of a policy. With `days: null`, rows are stored indefinitely. Callers must check that the viewer
 * is an owner.
 *
 * @throws NOT_FOUND; VALIDATION, reason RETENTION_OUT_OF_BOUNDS; CHANGED_MEANWHILE if it has another version than
 * its editor has read.
 */
export async function updatePolicy(
  ctx: Context,
  { key, days }: { key: string; days: number | null },
): Promise<EffectivePolicy> {
  if (!isPolicyKey(key)) throw notFound('retention policy');
  const { minDays, maxDays, canKeepForever, defaultDays } = getPolicy(key);
  const isAllowed = days === null ? canKeepForever : days >= minDays && days <= maxDays;
  if (!isAllowed) {
    throw new DomainError(
      'VALIDATION',
      `Choose ${minDays} to ${maxDays} days${canKeepForever ? ', or keep these rows forever' : ''}.`,
      { reason: 'RETENTION_OUT_OF_BOUNDS', fields: ['days'], minDays, maxDays, canKeepForever },
    );
  }
  const updatedAt = ctx.now();
  await runInTransaction(ctx, async (ctx) => {
    const { retentionSetting } = ctx.db;
    const initial = { policy: key, days: defaultDays, updatedAt: NEVER_CHANGED };
    await retentionSetting.createMany({ data: [initial], skipDuplicates: true });
    await recordUpdated(ctx, 'retention_policy.updated', [key], () =>
      retentionSetting.update({ where: { policy: key }, data: { days, updatedAt } }),
    );
  });
  const policies = await listPolicies(ctx);
  return policies.find((policy) => policy.key === key) as EffectivePolicy;
}

const MAX_DELETED_ROWS = 1_000;
/** Each row that the journal records takes several statements, and the transaction locks it that long. */
const MAX_RECORDED_ROWS = 100;

/**
 * Job: enforces every policy in batches. If one fails, the others are still enforced, and the next run retries it.
 * Returns the number of deleted or changed rows by policy.
 */
export async function enforceRetention(
  ctx: Context,
  signal?: AbortSignal,
): Promise<Partial<Record<PolicyKey, number>>> {
  const counts: Partial<Record<PolicyKey, number>> = {};
  for (const { key, days } of await listPolicies(ctx)) {
    if (days === null) continue;
    const before = new Date(ctx.now().getTime() - days * DAY_MS);
    try {
      counts[key] = await purgeBefore(ctx, getPolicy(key), before, signal);
    } catch (error) {
      ctx.log.error({ err: error, policy: key }, 'cannot enforce a retention policy');
    }
  }
  return counts;
}

async function purgeBefore(
  ctx: Context,
  { purge }: RetentionPolicy,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  const isRecorded = 'deleted' in purge || 'erased' in purge;
  const size = isRecorded ? MAX_RECORDED_ROWS : MAX_DELETED_ROWS;
  let total = 0;
  while (!signal?.aborted) {
    const count = await runInTransaction(ctx, (ctx) => purgeBatch(ctx, purge, before, size));
    total += count;
    if (count < size) break;
  }
  return total;
}

/** Returns the number of rows that were deleted or changed. */
async function purgeBatch(ctx: Context, purge: Purge, before: Date, size: number): Promise<number> {
  const rows = await ctx.lockingSql<{ id: string; subject: ErasedSubject }>(
    prepareStatement(purge.sql),
    [before, size],
  );
  if ('deleted' in purge) {
    const ids = rows.map(({ id }) => id);
    await recordPurged(ctx, purge.deleted, ids);
    await ctx.lockingSql(
      prepareStatement(`DELETE FROM ${purge.table} WHERE id = ANY ($1::uuid[])`),
      [ids],
    );
  }
  if (!('erased' in purge)) return rows.length;
  const listIds = (subject: ErasedSubject) =>
    rows.flatMap((row) => (row.subject === subject ? [row.id] : []));
  for (const subject of purge.erased) await recordErased(ctx, subject, listIds(subject));
  return listIds(purge.erased[0]).length;
}

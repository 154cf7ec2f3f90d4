import type { Context } from '../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toCreatedPosition,
  toPage,
  whereOlderThanCursor,
} from '../../core/pagination.ts';
import { findMentions, type Mention } from './copies.ts';
import { type Erasure, findOpenContracts, type OpenContracts } from './erase.ts';
import { countPersonRows, findPerson, type PersonInput } from './person.ts';

export { type EraseInput, type ErasureResult, erasePersonalData } from './erase.ts';
export { exportPersonalData, type PersonalData } from './export.ts';
export type { PersonInput } from './person.ts';
export { type EffectivePolicy, enforceRetention, listPolicies, updatePolicy } from './retention.ts';

/** What is stored about a person, for staff who consider an export or erasure. */
export interface Summary {
  emails: string[];
  memberIds: string[];
  names: string[];
  otherEmails: string[];
  /** The number of rows by table. */
  counts: Record<string, number>;
  openContracts: OpenContracts;
  mentions: Mention[];
}

/**
 * Counts what is stored about a person.
 *
 * @throws NOT_FOUND for an unknown member; VALIDATION unless there is exactly one way to find the person.
 */
export async function summarizePersonalData(ctx: Context, input: PersonInput): Promise<Summary> {
  const person = await findPerson(ctx, input);
  const { emails, memberIds, names, otherEmails } = person;
  return {
    ...{ emails, memberIds, names, otherEmails },
    counts: await countPersonRows(ctx, person),
    openContracts: await findOpenContracts(ctx, person),
    mentions: await findMentions(ctx, person),
  };
}

export interface RecordedErasure extends Erasure {
  /** Null for the command line, and after the account was deleted. */
  erasedBy: { id: string; name: string } | null;
}

/** Lists erasures, newest first. */
export async function listErasures(
  { db }: Context,
  page: PageRequest,
): Promise<Page<RecordedErasure>> {
  const rows = await db.erasure.findMany({
    where: whereOlderThanCursor(page),
    orderBy: orderByNewest,
    take: page.limit + 1,
    include: { user: { select: { id: true, name: true } } },
  });
  const erasures = rows.map(({ user, counts, id, reason, createdAt }) => ({
    ...{ id, reason, createdAt, erasedBy: user },
    counts: counts as Record<string, number>,
  }));
  return toPage(erasures, page.limit, toCreatedPosition);
}

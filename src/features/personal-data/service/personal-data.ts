import type { Context } from '../../../context.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../../lists/row-list.ts';
import { findMentions, type Mention } from '../copies.ts';
import { findDisputedOrders } from './disputed-orders.ts';
import { findOpenContracts, type OpenContracts, type RecordedErasure } from './erase.ts';
import { countPersonRows, findPerson, type PersonInput } from './person.ts';

/** A summary of the data about a person, for staff who are about to export or erase it. */
export interface Summary {
  emails: string[];
  memberIds: string[];
  names: string[];
  otherEmails: string[];
  /** The number of rows by table. */
  counts: Record<string, number>;
  openContracts: OpenContracts;
  /** The codes of orders whose payment is disputed. */
  disputedOrders: string[];
  mentions: Mention[];
}

/**
 * Summarizes the data that is stored about a person.
 *
 * @throws NOT_FOUND for an unknown member; VALIDATION unless the input has exactly one criterion
 */
export async function summarizePersonalData(ctx: Context, input: PersonInput): Promise<Summary> {
  const person = await findPerson(ctx, input);
  const { emails, memberIds, names, otherEmails } = person;
  return {
    emails,
    memberIds,
    names,
    otherEmails,
    counts: await countPersonRows(ctx, person),
    openContracts: await findOpenContracts(ctx, person),
    disputedOrders: await findDisputedOrders(ctx, person),
    mentions: await findMentions(ctx, person),
  };
}

/** Erasures, by default the newest first. Callers must check that the viewer is a manager. */
export const erasureList: RowList<RecordedErasure, CreationFilter, 'CREATED_AT'> = {
  name: 'erasures',
  table: 'erasures',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of the erasure' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, filter, { bind }) => matchCreation(row, filter, bind),
  findByIds: async ({ db }, ids) => {
    const rows = await db.erasure.findMany({ where: { id: { in: ids } } });
    return rows.map(({ userId, counts, id, reason, createdAt }) => ({
      id,
      reason,
      createdAt,
      requestedById: userId,
      counts: counts as Record<string, number>,
    }));
  },
};

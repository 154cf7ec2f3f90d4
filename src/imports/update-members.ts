import type { Context } from '../context.ts';
import type { Member } from '../db/generated/client.ts';
import { DomainError } from '../errors.ts';
import {
  type FieldChange,
  findFieldChange,
  formatFields,
} from '../features/imports/service/changed-fields.ts';
import type { ImportChangeRecord } from '../features/imports/service/imports.ts';
import { tryToChangeLine } from '../features/imports/service/rejections.ts';
import { updateMember } from '../features/members/service/members.ts';
import type { ListedMember } from './read-members.ts';
import { type ImportRow, toSkippedRow } from './report.ts';

/** What an import finds out about a member who exists already. */
export interface KnownMember {
  person: ListedMember;
  member: Member;
  /** The team that the file names. Null if it names none. */
  teamId: string | null;
}

/** A file that has another plan than the member may show what changed meanwhile. */
function findPlanNote({ person, plans }: KnownMember & { plans: string[] }): string | null {
  const { plan, status } = person;
  if (plan === null || status === 'former') return null;
  if (plans.some((name) => name.toLowerCase() === plan.toLowerCase())) return null;
  return plans.length === 0
    ? `The file has the plan "${plan}", but an import gives existing members no plan.`
    : `The plan stays "${plans[0]}", although the file has "${plan}".`;
}

/**
 * Changes a member to what the file says, by the rules of the service. Empty cells change nothing. `plans` are those that the member has.
 *
 * @returns the row of the report, and the change if there is one
 */
export async function updateKnownMember(
  ctx: Context,
  known: KnownMember & { plans: string[] },
): Promise<{ row: ImportRow; change?: ImportChangeRecord }> {
  const { person, member } = known;
  const { line, what } = person;
  const changed = findChange(known);
  const note = findPlanNote(known);
  if (changed === null)
    return { row: { line, what, outcome: 'unchanged', ...(note && { reason: note }) } };
  const updated = await tryToChangeLine(ctx, () => updateMember(ctx, member.id, changed.after));
  if (updated instanceof DomainError) return { row: toSkippedRow(person, updated.message) };
  const remark = 'postcode' in changed.after ? person.remark : undefined;
  const reason = [`Changed: ${formatFields(Object.keys(changed.after))}.`, remark, note]
    .filter(Boolean)
    .join(' ');
  return {
    row: { line, what, outcome: 'updated', reason },
    change: { subjectType: 'member', subjectId: member.id, changed },
  };
}

/** Empty cells change nothing. */
function findChange({ person, member, teamId }: KnownMember): FieldChange | null {
  const { name, phone, company, hasStatus, endsOn } = person;
  const hasNewStatus = hasStatus || endsOn !== null;
  return findFieldChange(member, {
    name,
    phone: phone ?? member.phone,
    company: company ?? member.company,
    address: person.address ?? member.address,
    postcode: person.postcode ?? member.postcode,
    city: person.city ?? member.city,
    country: person.country ?? member.country,
    customerNumber: person.customerNumber ?? member.customerNumber,
    status: hasNewStatus ? person.status : member.status,
    teamId: teamId ?? member.teamId,
  });
}

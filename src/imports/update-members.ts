import type { Context } from '../context.ts';
import type { Member } from '../db/generated/client.ts';
import type { ChangedFields, ImportChangeRecord } from '../features/imports/service/imports.ts';
import { updateMember } from '../features/members/service/members.ts';
import type { ListedMember } from './read-members.ts';
import type { ImportRow } from './report.ts';

const LABELS = {
  name: 'name',
  phone: 'phone',
  company: 'company',
  status: 'status',
  teamId: 'team',
} as const;

type Field = keyof typeof LABELS;

/** What an import finds out about a member who exists already. */
export interface KnownMember {
  person: ListedMember;
  member: Member;
  /** The team that the file names. Null if it names none. */
  teamId: string | null;
}

const PLAN_STAYS = 'The plan of an existing member is not changed.';

/**
 * Changes a member to what the file says, by the rules of the service. Empty cells change nothing.
 *
 * @returns the row of the report, and the change if there is one
 */
export async function updateKnownMember(
  ctx: Context,
  known: KnownMember,
): Promise<{ row: ImportRow; change?: ImportChangeRecord }> {
  const { person, member } = known;
  const { line, what } = person;
  const differences = findDifferences(known);
  const fields = Object.keys(differences.after) as Field[];
  const note = person.plan === null ? '' : ` ${PLAN_STAYS}`;
  if (fields.length === 0) {
    const reason = `A member already has this email address and these details.${note}`;
    return { row: { line, what, outcome: 'unchanged', reason } };
  }
  await updateMember(ctx, member.id, differences.after);
  const reason = `Changed: ${fields.map((field) => LABELS[field]).join(', ')}.${note}`;
  return {
    row: { line, what, outcome: 'updated', reason },
    change: { subjectType: 'member', subjectId: member.id, changed: differences },
  };
}

function findDifferences({ person, member, teamId }: KnownMember) {
  const { name, phone, company, status, hasStatus, endsOn } = person;
  const said: [Field, string | null][] = [
    ['name', name],
    ['phone', phone],
    ['company', company],
    ['status', hasStatus || endsOn !== null ? status : null],
    ['teamId', teamId],
  ];
  const changed = said.filter(([field, value]) => value !== null && value !== member[field]);
  const before: ChangedFields = Object.fromEntries(
    changed.map(([field]) => [field, member[field]]),
  );
  return { before, after: Object.fromEntries(changed) as ChangedFields & object };
}

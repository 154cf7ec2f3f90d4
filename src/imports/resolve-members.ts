import type { Member } from '../db/generated/client.ts';
import type { NewMember } from './insert-members.ts';
import type { SkippedLine } from './line-causes.ts';
import type { Choices } from './member-choices.ts';
import type { ListedMember } from './read-members.ts';
import { toSkippedRow } from './report.ts';
import type { KnownMember } from './update-members.ts';

export interface Resolved extends Choices {
  /** The email address of the member who has a customer number. */
  owners: Map<string, string>;
  /** The people of the list, by email address, if it changes members who exist. */
  changing: Map<string, ListedMember>;
}

interface NumberProblem {
  reason: string;
  cause?: SkippedLine['cause'];
}

function findNumberProblem(
  { customerNumber, email }: ListedMember,
  { owners, changing }: Resolved,
): NumberProblem | null {
  const owner = customerNumber === null ? undefined : owners.get(customerNumber);
  if (owner === undefined || owner === email) return null;
  const reason = `Another member has the customer number ${customerNumber}.`;
  const change = changing.get(owner);
  if (change === undefined || change.customerNumber === null) return { reason };
  const { line } = change;
  const text = `Line ${line} gives that member another one`;
  return {
    reason,
    cause: {
      line,
      ifSkipped: `${text}, but is skipped too: correct it first.`,
      otherwise: `${text}: import that line first, and then this one.`,
    },
  };
}

/** Finds the team and the plan of each person. */
export function resolveChoices(
  people: ListedMember[],
  choices: Resolved,
): { members: NewMember[]; problems: SkippedLine[] } {
  const members: NewMember[] = [];
  const problems: SkippedLine[] = [];
  for (const person of people) {
    const { teams, plans } = choices;
    const team = person.team === null ? null : teams.get(person.team.toLowerCase());
    const plan = person.plan === null ? null : plans.get(person.plan.toLowerCase());
    const number = findNumberProblem(person, choices);
    const reasons = [
      team === undefined && `There is no team named "${person.team}".`,
      plan === undefined && `There is no plan named "${person.plan}".`,
      person.startsOn &&
        person.endsOn &&
        person.endsOn < person.startsOn &&
        'The end date is before the start date.',
      plan && !plan.active && `New members cannot get the plan "${plan.name}": it is inactive.`,
      number?.reason,
    ].filter((reason) => typeof reason === 'string');
    if (reasons.length > 0)
      problems.push({ ...toSkippedRow(person, reasons.join(' ')), cause: number?.cause });
    else members.push({ ...person, teamId: team?.id ?? null, planId: plan?.id ?? null });
  }
  return { members, problems };
}

/** Finds the members to update, and the team that the file names for each. Their plans stay, so that any name of one is correct. */
export function resolveKnown(
  people: ListedMember[],
  existing: Map<string, Member>,
  choices: Resolved,
): { members: KnownMember[]; problems: SkippedLine[] } {
  const members: KnownMember[] = [];
  const problems: SkippedLine[] = [];
  for (const person of people) {
    const member = existing.get(person.email);
    if (member === undefined) continue;
    const team = person.team === null ? null : choices.teams.get(person.team.toLowerCase());
    const number = findNumberProblem(person, choices);
    const reasons = [
      team === undefined && `There is no team named "${person.team}".`,
      number?.reason,
    ].filter((reason) => typeof reason === 'string');
    if (reasons.length > 0)
      problems.push({ ...toSkippedRow(person, reasons.join(' ')), cause: number?.cause });
    else members.push({ person, member, teamId: team?.id ?? null });
  }
  return { members, problems };
}

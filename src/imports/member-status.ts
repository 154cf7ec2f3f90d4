import type { MemberStatus } from '../db/generated/client.ts';

/** How people who are in the list, but are not members, are imported: leads, contacts, and those who are not approved yet. */
export const UNDECIDED_CHOICES = ['skip', 'active', 'paused', 'former'] as const;
export type UndecidedChoice = (typeof UNDECIDED_CHOICES)[number];

type StatusWord = MemberStatus | 'undecided';

/** The words of Cobot, OfficeRnD and Nexudus, and those that people write into lists. */
const STATUS_WORDS: Record<StatusWord, string> = {
  active: 'active|aktiv|actif|current|member|mitglied|yes|true|1',
  paused: 'paused|on hold|suspended|frozen|pausiert|en pause',
  former:
    'former|inactive|inaktiv|inactif|cancelled|canceled|left|expired|archived|ehemalig|gekündigt|ancien|not_active|not active',
  undecided:
    'lead|leads|prospect|contact|drop-in|tour|pending|pending approval|unapproved|not approved|unconfirmed|awaiting approval|interessent|anfrage',
};

const STATUS_BY_WORD = new Map(
  (Object.keys(STATUS_WORDS) as StatusWord[]).flatMap((status) =>
    STATUS_WORDS[status].split('|').map((word) => [word, status] as const),
  ),
);

const YES = /^(true|yes|y|1|ja|oui|wahr|vrai|x|approved|confirmed)$/i;
const NO = /^(false|no|n|0|nein|non|falsch|faux|-|unapproved|unconfirmed|pending)$/i;

interface StatusTexts {
  status: string;
  /** A column that only says whether the person is an active member. */
  active: string;
  /** A column that only says whether someone has approved the person. */
  approved: string;
}

/**
 * Reads the status of a member from the columns that can say it. A person who is not active or not approved is never an active
 * member, whatever else the row says.
 *
 * @returns an error that says what is wrong, or what has to be decided
 */
export function parseStatus(
  { status, active, approved }: StatusTexts,
  undecided: UndecidedChoice | undefined,
): MemberStatus | Error {
  const word = status === '' ? 'active' : STATUS_BY_WORD.get(status.toLowerCase());
  if (word === undefined) return new Error('The status must be active, paused or former.');
  if (
    active !== '' &&
    !YES.test(active) &&
    !NO.test(active) &&
    !STATUS_BY_WORD.has(active.toLowerCase())
  )
    return new Error('The column "active" must say true or false.');
  if (word === 'undecided' || NO.test(approved)) return decide(status, undecided);
  const isInactive = NO.test(active) || STATUS_BY_WORD.get(active.toLowerCase()) === 'former';
  return isInactive && word === 'active' ? 'former' : word;
}

function decide(status: string, undecided: UndecidedChoice | undefined): MemberStatus | Error {
  const kind =
    STATUS_BY_WORD.get(status.toLowerCase()) === 'undecided' ? `"${status}"` : 'not approved';
  if (undecided === undefined)
    return new Error(
      `The person is ${kind}, so it is unclear whether this is a member. Choose how to import such people.`,
    );
  return undecided === 'skip'
    ? new Error(`The person is ${kind}, and such people are left out.`)
    : undecided;
}

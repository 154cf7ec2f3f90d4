import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { DELETED_PERSON, isDeletedAddress } from '../../../integrations/email/outbox.ts';
import { SUBJECT_TABLES, type SubjectTable } from '../tables.ts';

/** Exactly one of `email`, `memberId` and `name`. */
export interface PersonInput {
  email?: string | undefined;
  memberId?: string | undefined;
  /** The full name of a person without an address: a visitor, guest, attendee or pass holder. */
  name?: string | undefined;
  /** Limits a search by name to this day (YYYY-MM-DD), in the location's time zone. */
  date?: string | undefined;
}

/** The data by which a person's rows are found. */
export interface Person {
  emails: string[];
  /** The mailboxes of the addresses, as opt-outs identify them. */
  mailboxes: string[];
  memberIds: string[];
  /** The names, as spelled in the person's rows. */
  names: string[];
  phones: string[];
  companies: string[];
  /**
   * Other addresses of this member's orders, and an unconfirmed new address. They need a separate search, since an
   * unconfirmed address can belong to another person.
   */
  otherEmails: string[];
  /** `p` in the conditions of `tables.ts`. */
  parameters: PersonParameters;
}

interface PersonParameters {
  /** In lower case. */
  emails: string[];
  members: string[];
  users: string[];
  orders: string[];
  tickets: string[];
  passes: string[];
  bookings: string[];
  /** In lower case, if the person was found by an address. */
  names: string[];
  /** In lower case, if the person is searched by name alone. */
  only_names: string[];
  day: string | null;
}

const PARAMETER_TYPES: Record<keyof PersonParameters, string> = {
  emails: 'text[]',
  members: 'uuid[]',
  users: 'uuid[]',
  orders: 'uuid[]',
  tickets: 'uuid[]',
  passes: 'uuid[]',
  bookings: 'uuid[]',
  names: 'text[]',
  only_names: 'text[]',
  day: 'date',
};

const PARAMETER_NAMES = Object.keys(PARAMETER_TYPES) as (keyof PersonParameters)[];

/** The beginning of a statement with conditions on `p`. Its own parameters start at `FIRST_FREE_PARAMETER`. */
export const WITH_PERSON = `WITH p AS (SELECT ${PARAMETER_NAMES.map(
  (name, index) => `$${index + 1}::${PARAMETER_TYPES[name]} AS ${name}`,
).join(', ')})`;

export const FIRST_FREE_PARAMETER = PARAMETER_NAMES.length + 1;

export const toParameterValues = (parameters: PersonParameters): unknown[] =>
  PARAMETER_NAMES.map((name) => parameters[name]);

/**
 * Finds a person.
 *
 * @throws VALIDATION unless the input has exactly one criterion; NOT_FOUND for an unknown member
 */
export async function findPerson(ctx: Context, input: PersonInput): Promise<Person> {
  assertOneCriterion(input);
  const { memberId, name, date = null } = input;
  const members = await findMembers(ctx, input);
  if (memberId !== undefined && members.length === 0) throw notFound('member');
  const emails = unique(
    [input.email, ...members.map(({ email }) => email)]
      .map((email) => email?.trim().toLowerCase())
      .filter((email) => email !== undefined && !isDeletedAddress(email)) as string[],
  );
  const parameters: PersonParameters = {
    emails,
    members: members.map(({ id }) => id),
    users: [],
    orders: [],
    tickets: [],
    passes: [],
    bookings: [],
    names: [],
    only_names: name === undefined ? [] : [normalizeName(name)],
    day: date,
  };
  const users = await ctx.db.user.findMany({
    where: { OR: [{ memberId: { in: parameters.members } }, { email: { in: emails } }] },
    select: { id: true, name: true },
  });
  parameters.users = users.map(({ id }) => id);
  const orders = await selectPersonRows(ctx, 'orders', parameters, ['buyer_name', 'buyer_email']);
  parameters.orders = orders.map(({ id }) => id);
  const bookings = await selectPersonRows(ctx, 'bookings', parameters, ['guest_name']);
  parameters.bookings = bookings.map(({ id }) => id);
  const waiting = await selectPersonRows(ctx, 'waitlist_entries', parameters, ['name']);
  // The rows with the address contain the names. The second search then also finds these names in the person's own orders.
  const findAdmissions = async () => ({
    tickets: await selectPersonRows(ctx, 'tickets', parameters, ['attendee_name']),
    passes: await selectPersonRows(ctx, 'day_passes', parameters, ['holder_name']),
  });
  const addressed = await findAdmissions();
  const writtenNames = [
    ...[...members, ...users, ...waiting].map(({ name }) => name),
    ...orders.map(({ buyer_name }) => buyer_name),
    ...bookings.map(({ guest_name }) => guest_name),
    ...addressed.tickets.map(({ attendee_name }) => attendee_name),
    ...addressed.passes.map(({ holder_name }) => holder_name),
    name,
  ];
  const names = unique(
    writtenNames.filter((text) => isNonBlank(text)).map((text) => text.trim()),
  ).filter((text) => text !== DELETED_PERSON);
  parameters.names = unique(names.map(normalizeName));
  const all = await findAdmissions();
  parameters.tickets = all.tickets.map(({ id }) => id);
  parameters.passes = all.passes.map(({ id }) => id);
  const changes = await ctx.db.memberEmailChange.findMany({
    where: { memberId: { in: parameters.members } },
  });
  const others = [
    ...orders.map(({ buyer_email }) => buyer_email).filter((email) => isNonBlank(email)),
    ...changes.map(({ email }) => email),
  ];
  return {
    emails,
    mailboxes: await findMailboxes(ctx, emails),
    memberIds: parameters.members,
    names,
    companies: members.map(({ company }) => company).filter((company) => isNonBlank(company)),
    phones: members.map(({ phone }) => phone).filter((phone) => phone !== null),
    otherEmails: unique(
      others.filter((email) => !emails.includes(email) && !isDeletedAddress(email)),
    ),
    parameters,
  };
}

async function findMailboxes({ db }: Context, emails: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ mailbox: string }[]>`
    SELECT DISTINCT mail_recipient_key(email) AS mailbox FROM unnest(${emails}::text[]) email`;
  return rows.map(({ mailbox }) => mailbox);
}

/** Returns the SQL condition that holds for the person's rows `t`. Searches by name have their own condition. */
export const toCondition = (
  { find, findByName = 'false' }: SubjectTable,
  { only_names }: PersonParameters,
) => (only_names.length > 0 ? findByName : find);

/** Counts the person's rows by table, without empty tables. */
export async function countPersonRows(
  ctx: Context,
  { parameters }: Person,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of SUBJECT_TABLES) {
    const { name } = table;
    const [row] = await ctx.lockingSql<{ count: number }>(
      {
        text: `${WITH_PERSON} SELECT count(*)::int AS count FROM ${name} t, p WHERE ${toCondition(table, parameters)}`,
      },
      toParameterValues(parameters),
    );
    if (row && row.count > 0) counts[name] = row.count;
  }
  return counts;
}

function assertOneCriterion({ email, memberId, name, date }: PersonInput): void {
  const criteria = [email, memberId, name].filter((criterion) => criterion !== undefined);
  if (criteria.length === 1 && (date === undefined || name !== undefined)) return;
  throw new DomainError(
    'VALIDATION',
    criteria.length === 1
      ? 'A date can only be combined with a name. Remove the date, or search by name.'
      : 'Enter exactly one of an email address, a member or a name.',
    { reason: 'INVALID_INPUT' },
  );
}

async function findMembers({ db }: Context, { email, memberId }: PersonInput) {
  if (memberId !== undefined) {
    return isUuid(memberId) ? db.member.findMany({ where: { id: memberId } }) : [];
  }
  return email === undefined
    ? []
    : db.member.findMany({ where: { email: email.trim().toLowerCase() } });
}

async function selectPersonRows<Column extends string>(
  ctx: Context,
  table: string,
  parameters: PersonParameters,
  columns: Column[],
): Promise<({ id: string } & Record<Column, string | null>)[]> {
  const subject = SUBJECT_TABLES.find(({ name }) => name === table) as SubjectTable;
  return ctx.lockingSql(
    {
      text: `${WITH_PERSON} SELECT ${['id', ...columns].map((column) => `t.${column}`).join(', ')}
        FROM ${table} t, p WHERE ${toCondition(subject, parameters)} ORDER BY t.id`,
    },
    toParameterValues(parameters),
  );
}

const isNonBlank = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value.trim() !== '';

const normalizeName = (name: string) => name.trim().toLowerCase();

const unique = <T>(values: T[]): T[] => [...new Set(values)];

export const nothingStored = () =>
  new DomainError('NOT_FOUND', 'Nothing is stored about this person.', {
    reason: 'NOTHING_STORED',
  });

import { randomUUID } from 'node:crypto';
import { createSecret } from '../../../../auth/tokens.ts';
import { canSeeAll } from '../../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../../context.ts';
import { toPossibleCodes } from '../../../../core/ids.ts';
import { maskEmail, maskName, toComparableNameSql } from '../../../../core/names.ts';
import { DomainError } from '../../../../errors.ts';
import { isUnpairedClient, type LocationCaller, toLocationCaller } from '../../caller.ts';
import { assertLookupsPublic, getLookupSettings } from '../access.ts';
import { assertBudgetLeft, lockBudgets, toBudgetKey, UNCOUNTED_ADDRESS } from './lookup-budget.ts';

/** The result of a lookup. */
export interface MemberLookup {
  matches: LookupMatch[];
  /** Whether more than five members match. None is then returned. */
  tooMany: boolean;
  /** Whether the location does not allow lookups by name. Nothing is then searched. */
  namesOff: boolean;
}

interface LookupMatch {
  /** Valid for one check-in within two minutes. */
  handle: string;
  /** "Ada L." */
  label: string;
  /** The masked email address, which distinguishes members with equal labels. */
  hint: string;
}

interface LookupRequest {
  locationId: string;
  query: string;
  /** The client address. */
  address: string;
}

const MAX_MATCHES = 5;
const HANDLE_LIFETIME_MS = 120_000;

const NO_MATCHES: MemberLookup = { matches: [], tooMany: false, namesOff: false };

/**
 * Finds members by name, full email address or code, and discloses only enough for members to recognize themselves.
 * @throws NOT_FOUND for the location; VALIDATION, reason KIOSK_NEEDED or QUERY_TOO_SHORT; RATE_LIMITED, reason
 *   LOOKUPS_USED_UP, if the daily budget is used up.
 */
export async function lookUpMembers(ctx: Context, request: LookupRequest): Promise<MemberLookup> {
  const { locationId, address } = request;
  const canSeeMembers = canSeeAll(ctx.viewer, 'members:read');
  // Before anything is searched, so that the error does not depend on whom the query finds.
  const getSettings =
    canSeeMembers || !isUnpairedClient(ctx.viewer, locationId)
      ? getLookupSettings
      : assertLookupsPublic;
  const { lookupNames } = await getSettings(ctx, locationId);
  const query = await parseMemberQuery(ctx, request.query);
  const caller = toLocationCaller(ctx.viewer, address, locationId);
  if (!query.exact && !lookupNames) return { ...NO_MATCHES, namesOff: true };
  if (canSeeMembers) {
    const uncounted = { ...caller, address: UNCOUNTED_ADDRESS };
    return runInTransaction(ctx, (ctx) => findMatches(ctx, uncounted, query));
  }
  const findWithinBudget = () =>
    runInTransaction(ctx, async (ctx) => {
      await lockBudgets(ctx, caller);
      await assertBudgetLeft(ctx, caller, query.exact ? 1 : MAX_MATCHES, query.exact);
      return findMatches(ctx, caller, query);
    });
  return ctx.isInTransaction
    ? findWithinBudget()
    : ctx.queues.lookups(toBudgetKey(caller), findWithinBudget);
}

async function findMatches(
  ctx: Context,
  caller: LocationCaller,
  query: MemberQuery,
): Promise<MemberLookup> {
  const members = await findMatchingMembers(ctx, query, MAX_MATCHES + 1);
  if (members.length > MAX_MATCHES) return { ...NO_MATCHES, tooMany: true };
  if (members.length === 0) return NO_MATCHES;
  const disclosed = members.map((member) => ({ member, secret: createSecret('lookupHandle') }));
  await saveHandles(ctx, caller, query.exact, disclosed);
  const matches = disclosed.map(({ member, secret }) => ({
    handle: secret.plainText,
    label: maskName(member.name),
    hint: maskEmail(member.email),
  }));
  // Sorted by the disclosed texts, since any other order would disclose more.
  matches.sort((a, b) => (a.label + a.hint < b.label + b.hint ? -1 : 1));
  return { ...NO_MATCHES, matches };
}

async function saveHandles(
  { db, now }: Context,
  { locationId, address }: LocationCaller,
  exact: boolean,
  disclosed: { member: MatchedMember; secret: { hash: Uint8Array<ArrayBuffer> } }[],
): Promise<void> {
  const at = now();
  // Repeated lookups replace their unused rows, so that polling all day does not fill the table.
  await db.lookupHandle.deleteMany({
    where: {
      locationId,
      address,
      exact,
      memberId: { in: disclosed.map(({ member }) => member.id) },
      expiresAt: { lte: at },
      usedAt: null,
      arrived: false,
    },
  });
  const lookupId = randomUUID();
  await db.lookupHandle.createMany({
    data: disclosed.map(({ member, secret }) => ({
      hash: secret.hash,
      lookupId,
      locationId,
      memberId: member.id,
      address,
      exact,
      createdAt: at,
      expiresAt: new Date(at.getTime() + HANDLE_LIFETIME_MS),
    })),
  });
}

/** A parsed query. */
type MemberQuery =
  | { exact: true; email: string }
  | { exact: true; code: string }
  | { exact: false; name: string };

const MEMBER_CODE_LENGTH = 10;
const MIN_LETTERS = 3;

/**
 * Parses a full email address, the code of a member, or a name. A name can look like a code, so a code must exist.
 * @throws VALIDATION, reason QUERY_TOO_SHORT.
 */
async function parseMemberQuery({ db }: Context, query: string): Promise<MemberQuery> {
  const text = query.trim();
  if (/^[^\s@]+@[^\s@]+$/u.test(text)) return { exact: true, email: text.toLowerCase() };
  for (const code of toMemberCodes(text))
    if ((await db.member.count({ where: { code } })) > 0) return { exact: true, code };
  if (countLetters(text) < MIN_LETTERS) {
    throw new DomainError(
      'VALIDATION',
      'Type at least three letters of a name, a full email address, or a code.',
      { reason: 'QUERY_TOO_SHORT', fields: ['query'], leastLetters: MIN_LETTERS },
    );
  }
  return { exact: false, name: text };
}

/**
 * Parses the code of a member, ignoring spaces, dashes and case: as typed, and as a scanner with another layout means it. Returns none if
 * the text has another form.
 */
function toMemberCodes(text: string): string[] {
  const code = text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  if (code.length !== MEMBER_CODE_LENGTH || !/^[0-9A-Z]+$/.test(code)) return [];
  return toPossibleCodes(code);
}

/** Counts composed letters: an accent does not count, a Hangul syllable counts as one. */
const countLetters = (text: string) => text.normalize('NFC').match(/\p{L}/gu)?.length ?? 0;

interface MatchedMember {
  id: string;
  name: string;
  email: string;
}

/** Finds at most `max` members, unordered. Includes paused members, whose check-in is then rejected, but not former ones. */
export async function findMatchingMembers(
  { db }: Context,
  query: MemberQuery,
  max: number,
): Promise<MatchedMember[]> {
  if (!query.exact)
    return db.$queryRawUnsafe<MatchedMember[]>(FIND_MEMBERS_BY_NAME, query.name, max);
  const { exact, ...condition } = query;
  return db.member.findMany({
    where: { ...condition, status: { not: 'former' } },
    select: { id: true, name: true, email: true },
  });
}

const COMPARABLE_NAME = `' ' || ${toComparableNameSql('name')}`;

// The query has the collation of names, since the locale of the database can convert letters to lower case in another way.
// Searches each word literally, with the space before it: a comparable name contains no wildcards of LIKE. An index finds
// the members who match the longest words, and the last condition compares the others.
const FIND_MEMBERS_BY_NAME = `
  WITH query AS MATERIALIZED (
    SELECT array_agg('% ' || word || '%' ORDER BY length(word) DESC) AS patterns
    FROM unnest(string_to_array(${toComparableNameSql('$1::text COLLATE names')}, ' ')) AS word WHERE word <> '')
  SELECT id, name, email FROM members
  WHERE status <> 'former'
    AND ${COMPARABLE_NAME} LIKE (SELECT patterns[1] FROM query)
    AND ${COMPARABLE_NAME} LIKE (SELECT coalesce(patterns[2], patterns[1]) FROM query)
    AND ${COMPARABLE_NAME} LIKE ALL ((SELECT patterns FROM query)::text[])
  LIMIT $2::int`;

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createSecret } from '../../../auth/tokens.ts';
import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { createKeyedQueue } from '../../../core/keyed-queue.ts';
import { maskEmail, maskName, toComparableNameSql } from '../../../core/names.ts';
import { singleLine } from '../../../core/validation.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { type LocationCaller, toLocationCaller } from '../caller.ts';
import { assertBudgetLeft, lockBudgets, toBudgetKey, UNCOUNTED_ADDRESS } from './lookup-budget.ts';

/** All that a stranger at a kiosk learns. */
export interface MemberLookup {
  matches: LookupMatch[];
  /** More than five would match, so none is told. */
  tooMany: boolean;
  /** Nobody was looked for: this location finds nobody by name, or only at its paired kiosks. */
  namesOff: boolean;
}

interface LookupMatch {
  /** Good for one check-in within two minutes. */
  handle: string;
  /** "Ada L." */
  label: string;
  /** A masked e-mail address, for two who have one label. */
  hint: string;
}

interface LookupRequest {
  locationId: string;
  query: string;
  /** Where the caller is. */
  address: string;
}

const MAX_MATCHES = 5;
const HANDLE_LIFETIME_MS = 120_000;

const NO_MATCHES: MemberLookup = { matches: [], tooMany: false, namesOff: false };

/**
 * Finds members by a name, a whole e-mail address or a code, and says as little of them as lets them find themselves.
 * Throws NOT_FOUND for the location, VALIDATION (`QUERY_TOO_SHORT`), and RATE_LIMITED (`LOOKUPS_USED_UP`) where more was
 * told in a day than curiosity should learn.
 */
export async function lookUpMembers(ctx: Context, request: LookupRequest): Promise<MemberLookup> {
  const { locationId, address, query } = request;
  const question = await parseMemberQuery(ctx, query);
  const place = await getLookupSettings(ctx, locationId);
  const asking = toLocationCaller(ctx.viewer, address, locationId);
  if (!question.exact && !canFindByName(place, asking)) return { ...NO_MATCHES, namesOff: true };
  if (canSeeAll(ctx.viewer, 'members:read')) {
    const uncounted = { ...asking, address: UNCOUNTED_ADDRESS };
    return runInTransaction(ctx, (ctx) => findMatches(ctx, uncounted, question));
  }
  const bounded = () =>
    runInTransaction(ctx, async (ctx) => {
      await lockBudgets(ctx, asking);
      await assertBudgetLeft(ctx, asking, question.exact ? 1 : MAX_MATCHES, question.exact);
      return findMatches(ctx, asking, question);
    });
  return ctx.isInTransaction ? bounded() : runInLookupQueue(toBudgetKey(asking), bounded);
}

const runInLookupQueue = createKeyedQueue(2);

interface LookupSettings {
  lookupNames: boolean;
  lookupNeedsKiosk: boolean;
}

const canFindByName = (
  { lookupNames, lookupNeedsKiosk }: LookupSettings,
  { isKiosk }: LocationCaller,
) => lookupNames && (isKiosk || !lookupNeedsKiosk);

async function getLookupSettings({ db }: Context, id: string): Promise<LookupSettings> {
  const select = { lookupNames: true, lookupNeedsKiosk: true };
  const location = isUuid(id) ? await db.location.findUnique({ where: { id }, select }) : null;
  if (location === null) throw notFound('location');
  return location;
}

async function findMatches(
  ctx: Context,
  asking: LocationCaller,
  question: MemberQuery,
): Promise<MemberLookup> {
  const found = await findMatchingMembers(ctx, question, MAX_MATCHES + 1);
  if (found.length > MAX_MATCHES) return { ...NO_MATCHES, tooMany: true };
  if (found.length === 0) return NO_MATCHES;
  const told = found.map((member) => ({ member, secret: createSecret('lookupHandle') }));
  await saveHandles(ctx, asking, question.exact, told);
  const matches = told.map(({ member, secret }) => ({
    handle: secret.plainText,
    label: maskName(member.name),
    hint: maskEmail(member.email),
  }));
  // By what is shown: any other order would tell something of what is not.
  matches.sort((one, other) => (one.label + one.hint < other.label + other.hint ? -1 : 1));
  return { ...NO_MATCHES, matches };
}

async function saveHandles(
  { db, now }: Context,
  { locationId, address }: LocationCaller,
  exact: boolean,
  told: { member: MatchedMember; secret: { hash: Uint8Array<ArrayBuffer> } }[],
): Promise<void> {
  const at = now();
  // What is told again counts from now on: the row of the last time says nothing more, and who asks all day fills no table.
  await db.lookupHandle.deleteMany({
    where: {
      locationId,
      address,
      exact,
      memberId: { in: told.map(({ member }) => member.id) },
      expiresAt: { lte: at },
      usedAt: null,
      arrived: false,
    },
  });
  const lookupId = randomUUID();
  await db.lookupHandle.createMany({
    data: told.map(({ member, secret }) => ({
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

/** What somebody typed, as it is understood. */
type MemberQuery =
  | { exact: true; email: string }
  | { exact: true; code: string }
  | { exact: false; name: string };

const MEMBER_CODE_LENGTH = 10;
const MIN_LETTERS = 3;

/**
 * A whole e-mail address; a code, where a member has it, since names may look the same; else a name. Throws VALIDATION,
 * reason `QUERY_TOO_SHORT`.
 */
async function parseMemberQuery({ db }: Context, query: string): Promise<MemberQuery> {
  const words = query.trim();
  if (/^[^\s@]+@[^\s@]+$/u.test(words)) return { exact: true, email: words.toLowerCase() };
  const code = toMemberCode(words);
  if (code !== null && (await db.member.count({ where: { code } })) > 0)
    return { exact: true, code };
  if (countLetters(words) < MIN_LETTERS) {
    throw new DomainError(
      'VALIDATION',
      'Type at least three letters of a name, the whole e-mail address, or the code.',
      { reason: 'QUERY_TOO_SHORT', leastLetters: MIN_LETTERS },
    );
  }
  return { exact: false, name: words };
}

/** However it is written out. */
function toMemberCode(words: string): string | null {
  const code = words.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return code.length === MEMBER_CODE_LENGTH && /^[0-9A-Z]+$/.test(code) ? code : null;
}

/** Composed, for an accent to be no letter, and a Hangul syllable one. */
const countLetters = (words: string) => words.normalize('NFC').match(/\p{L}/gu)?.length ?? 0;

interface MatchedMember {
  id: string;
  name: string;
  email: string;
}

/** At most so many, in no order. Paused members are found, for the check-in to tell them; former ones are not. */
export async function findMatchingMembers(
  { db }: Context,
  question: MemberQuery,
  most: number,
): Promise<MatchedMember[]> {
  if (!question.exact)
    return db.$queryRawUnsafe<MatchedMember[]>(FIND_MEMBERS_BY_NAME, question.name, most);
  const { exact, ...who } = question;
  return db.member.findMany({
    where: { ...who, status: { not: 'former' } },
    select: { id: true, name: true, email: true },
  });
}

// Each word is looked for with the blank before it, as it stands: no sign in it means anything. OFFSET 0: each name is
// made plain once, however many words are looked for.
const FIND_MEMBERS_BY_NAME = `
  WITH openings AS MATERIALIZED (
    SELECT DISTINCT ' ' || word AS opening FROM unnest(string_to_array(${toComparableNameSql('$1::text')}, ' ')) AS word WHERE word <> '')
  SELECT id, name, email
  FROM (SELECT id, name, email, ' ' || ${toComparableNameSql('name')} AS plain FROM members WHERE status <> 'former' OFFSET 0) AS member
  WHERE NOT EXISTS (SELECT FROM openings WHERE strpos(plain, opening) = 0)
    AND EXISTS (SELECT FROM openings)
  LIMIT $2::int`;

/** In one spelling: rate limits count by it. */
export const locationIdSchema = z.uuid().toLowerCase();

export const querySchema = singleLine(200);

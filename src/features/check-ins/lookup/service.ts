import { randomUUID } from 'node:crypto';
import { makeSecret } from '../../../auth/secrets.ts';
import { seesAll } from '../../../auth/viewer.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { turns } from '../../../turns.ts';
import { isUuid } from '../../../values.ts';
import { type Asking, askingAt } from '../asking.ts';
import { maskedAddress, maskedName } from '../masking.ts';
import { lockBudgets, NOBODYS, placeOrKiosk, refuseUsedUp } from './budget.ts';
import { type Question, read } from './question.ts';
import { type Found, find } from './search.ts';

/** All that a stranger at a kiosk learns. */
export interface Lookup {
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

const MOST_MATCHES = 5;
const HANDLE_MS = 120_000;

const nothing: Lookup = { matches: [], tooMany: false, namesOff: false };

/**
 * Finds members by a name, a whole e-mail address or a code, and says as little of them as lets them find themselves.
 * Throws NOT_FOUND for the location, VALIDATION (`QUERY_TOO_SHORT`), and RATE_LIMITED (`LOOKUPS_USED_UP`) where more was
 * told in a day than curiosity should learn.
 */
export async function lookUp(ctx: Ctx, request: LookupRequest): Promise<Lookup> {
  const { locationId, address, query } = request;
  const question = await read(ctx, query);
  const place = await placeOf(ctx, locationId);
  const asking = askingAt(ctx.viewer, address, locationId);
  if (!question.exact && !findsNames(place, asking)) return { ...nothing, namesOff: true };
  if (seesAll(ctx.viewer, 'members:read')) {
    const uncounted = { ...asking, address: NOBODYS };
    return inTransaction(ctx, (ctx) => answer(ctx, uncounted, question));
  }
  const bounded = () =>
    inTransaction(ctx, async (ctx) => {
      await lockBudgets(ctx, asking);
      await refuseUsedUp(ctx, asking, question.exact ? 1 : MOST_MATCHES, question.exact);
      return answer(ctx, asking, question);
    });
  return ctx.atomic ? bounded() : inTurn(placeOrKiosk(asking), bounded);
}

const inTurn = turns(2);

interface Place {
  lookupNames: boolean;
  lookupNeedsKiosk: boolean;
}

const findsNames = ({ lookupNames, lookupNeedsKiosk }: Place, { isKiosk }: Asking) =>
  lookupNames && (isKiosk || !lookupNeedsKiosk);

async function placeOf({ db }: Ctx, id: string): Promise<Place> {
  const select = { lookupNames: true, lookupNeedsKiosk: true };
  const location = isUuid(id) ? await db.location.findUnique({ where: { id }, select }) : null;
  if (location === null) throw notFound('location');
  return location;
}

async function answer(ctx: Ctx, asking: Asking, question: Question): Promise<Lookup> {
  const found = await find(ctx, question, MOST_MATCHES + 1);
  if (found.length > MOST_MATCHES) return { ...nothing, tooMany: true };
  if (found.length === 0) return nothing;
  const told = found.map((member) => ({ member, secret: makeSecret('lookupHandle') }));
  await keep(ctx, asking, question.exact, told);
  const matches = told.map(({ member, secret }) => ({
    handle: secret.plainText,
    label: maskedName(member.name),
    hint: maskedAddress(member.email),
  }));
  // By what is shown: any other order would tell something of what is not.
  matches.sort((one, other) => (one.label + one.hint < other.label + other.hint ? -1 : 1));
  return { ...nothing, matches };
}

async function keep(
  { db, now }: Ctx,
  { locationId, address }: Asking,
  exact: boolean,
  told: { member: Found; secret: { hash: Uint8Array<ArrayBuffer> } }[],
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
      expiresAt: new Date(at.getTime() + HANDLE_MS),
    })),
  });
}

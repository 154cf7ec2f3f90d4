import { type Context, runInTransaction } from '../context.ts';
import { CODE_ALPHABET, generateCode, undoKeyboardSwap } from '../core/ids.ts';
import { DAY_MS } from '../core/time/time-zone.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { DomainError } from '../errors.ts';
import { recordUpdated } from '../journal/record-changes.ts';
import { ONLY_ROW } from '../journal/subjects.ts';
import type { Language } from '../languages/languages.ts';
import { assertStrongPassword, hashPassword } from './passwords.ts';
import { recordKnownBrowser } from './sessions.ts';
import { createSession, insertStaff, type SignInSecrets, toDisplayName } from './sign-in.ts';
import { hashSecret } from './tokens.ts';

// Without an owner, whoever has a setup code creates the first one. ADMIN_EMAIL and the command line do the same without a code.

const SETUP_CODE_LENGTH = 12;
const SETUP_CODE_GROUP = /.{4}(?=.)/g;
const SETUP_CODE_LIFETIME_MS = DAY_MS;
/** Every instance prints a code when it starts. Restarts must not leave ever more codes that work. */
const MAX_SETUP_CODES = 10;

/** What the setup has chosen for the space. */
interface SpaceChoices {
  language?: Language | undefined;
  spaceName?: string | undefined;
}

export interface SetupCode {
  /** As it is printed, in groups. It is not stored. */
  plainText: string;
  expiresAt: Date;
}

/**
 * Whether the installation has no owner yet, so that a setup code creates one. Everyone can ask. Requests at the same time share a
 * statement, which begins after they arrive.
 */
export function isSetupOpen({ db, queues, isInTransaction }: Context): Promise<boolean> {
  const read = async () => (await db.user.count({ where: { role: 'owner' }, take: 1 })) === 0;
  return isInTransaction ? read() : queues.sharedReads('setup-open', read);
}

/**
 * Creates a code that creates the first owner, once, within 24 hours. Codes of other instances still work, but only the
 * latest ten.
 * @throws CONFLICT, reason ALREADY_SET_UP, if there is an owner.
 */
export async function issueSetupCode(ctx: Context): Promise<SetupCode> {
  if (!(await isSetupOpen(ctx))) throw alreadySetUp();
  const now = ctx.now();
  const code = generateCode(SETUP_CODE_LENGTH);
  const expiresAt = new Date(now.getTime() + SETUP_CODE_LIFETIME_MS);
  await ctx.db.setupCode.create({
    data: { hash: hashSecret(code), createdAt: now, expiresAt },
  });
  const surplus = await ctx.db.setupCode.findMany({
    orderBy: [{ createdAt: 'desc' }, { hash: 'asc' }],
    skip: MAX_SETUP_CODES,
    select: { hash: true },
  });
  await ctx.db.setupCode.deleteMany({ where: { hash: { in: surplus.map(({ hash }) => hash) } } });
  return { plainText: code.replace(SETUP_CODE_GROUP, '$&-'), expiresAt };
}

/**
 * Creates the first owner with a setup code, and a session, and saves the language and the name of the space that were chosen.
 * All codes end with it. Of several requests, one succeeds. A weak password does not consume the code.
 * @throws CONFLICT, reason ALREADY_SET_UP, if there is an owner; NOT_FOUND, reason SETUP_CODE, for a wrong or expired
 *   code; VALIDATION for a weak password; CONFLICT, reason TAKEN, if a member or a manager has the address.
 */
export async function createFirstOwner(
  ctx: Context,
  input: {
    code: string;
    name: string;
    email: string;
    password: string;
  } & SpaceChoices,
  browser: string | undefined,
): Promise<SignInSecrets> {
  const hash = hashSecret(normalizeCode(input.code));
  const { name } = input;
  const email = input.email.trim().toLowerCase();
  if (!(await isSetupOpen(ctx))) throw alreadySetUp();
  // Checking the code first saves the work of hashing passwords for callers without one.
  if ((await ctx.db.setupCode.count({ where: toValidCode(ctx, hash) })) === 0) throw wrongCode();
  await assertStrongPassword(input.password, email);
  const passwordHash = await hashPassword(input.password, ctx);
  return runInTransaction(ctx, async (ctx) => {
    await lockSetup(ctx);
    if (!(await isSetupOpen(ctx))) throw alreadySetUp();
    const { count } = await ctx.db.setupCode.deleteMany({ where: toValidCode(ctx, hash) });
    if (count === 0) throw wrongCode();
    await ctx.db.setupCode.deleteMany();
    await saveChoices(ctx, input);
    const { id } = await insertStaff(ctx, { name, email, passwordHash, role: 'owner' });
    return {
      session: await createSession(ctx, id),
      browser: await recordKnownBrowser(ctx, id, browser),
    };
  });
}

/**
 * Creates the owner of ADMIN_EMAIL if there is no owner, and saves the language of SPACE_LANGUAGE and the name of SPACE_NAME.
 * Returns whether it did.
 * @throws VALIDATION for a weak password.
 */
export async function ensureOwner(
  ctx: Context,
  { email, password, ...choices }: { email: string; password: string } & SpaceChoices,
): Promise<boolean> {
  if (!(await isSetupOpen(ctx))) return false;
  await assertStrongPassword(password, email);
  const passwordHash = await hashPassword(password, ctx);
  const name = toDisplayName(email);
  return runInTransaction(ctx, async (ctx) => {
    await lockSetup(ctx);
    if (!(await isSetupOpen(ctx))) return false; // another instance or person created one at the same time
    await ctx.db.setupCode.deleteMany();
    await saveChoices(ctx, choices);
    await insertStaff(ctx, { name, email: email.toLowerCase(), passwordHash, role: 'owner' });
    return true;
  });
}

/**
 * Checks the password for the first owner before anything is written.
 *
 * @throws VALIDATION, reason PASSWORD_TOO_WEAK
 */
export async function assertOwnerPassword(admin: {
  email: string;
  password: string;
}): Promise<void> {
  try {
    await assertStrongPassword(admin.password, admin.email);
  } catch (error) {
    throw error instanceof DomainError && error.details.reason === 'PASSWORD_TOO_WEAK'
      ? new DomainError(error.code, `ADMIN_PASSWORD: ${error.message}`, error.details)
      : error;
  }
}

/** Job: deletes expired codes and returns how many. */
export async function purgeSetupCodes({ db, now }: Context): Promise<number> {
  const { count } = await db.setupCode.deleteMany({ where: { expiresAt: { lte: now() } } });
  return count;
}

// Creates the row, or locks it. Either way, others who create the first owner wait until this transaction ends, and then see
// the owner that it created.
const LOCK_SETUP = prepareStatement(`
  INSERT INTO setup (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = excluded.id`);

const lockSetup = ({ lockingSql }: Context) => lockingSql(LOCK_SETUP, []);

/** Saves the language and the name of the space, unless none was chosen. The setup is locked, so its row exists. */
async function saveChoices(ctx: Context, { language, spaceName }: SpaceChoices): Promise<void> {
  if (language === undefined && spaceName === undefined) return;
  await recordUpdated(ctx, 'settings.updated', [ONLY_ROW], () =>
    ctx.db.setup.update({ where: { id: 1 }, data: { language, name: spaceName } }),
  );
}

const toValidCode = ({ now }: Context, hash: Uint8Array<ArrayBuffer>) => ({
  hash,
  expiresAt: { gt: now() },
});

const OTHER_CHARACTERS = new RegExp(`[^${CODE_ALPHABET}]`, 'g');

/** People type codes in lower case, with or without the separators, and with a keyboard that swaps Y and Z. */
function normalizeCode(text: string): string {
  const code = text.toUpperCase();
  return undoKeyboardSwap(code).replace(OTHER_CHARACTERS, '');
}

const alreadySetUp = () =>
  new DomainError(
    'CONFLICT',
    'This installation has an owner already. Sign in, or ask an owner for an invitation.',
    { reason: 'ALREADY_SET_UP' },
  );

const wrongCode = () =>
  new DomainError(
    'NOT_FOUND',
    'Use the newest setup code: Foyer prints one each time it starts, in the terminal or in the log of its container, and so does the command setup-code. A code works for 24 hours.',
    { reason: 'SETUP_CODE', fields: ['code'] },
  );

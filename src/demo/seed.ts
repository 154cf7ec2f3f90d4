import { type Context, runInTransaction } from '../context.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import { DomainError } from '../errors.ts';
import { dismissSetupChecklist } from '../features/setup/service.ts';
import { addBookings } from './bookings.ts';
import { addCheckIns } from './check-ins.ts';
import { addDayPasses } from './day-passes.ts';
import { addAnnouncements, addDisplays, type DisplayTokens } from './displays.ts';
import { addEventCheckIns } from './event-check-ins.ts';
import { addEvents } from './events.ts';
import { recordSampleData } from './journal.ts';
import { addOpeningHours, addSpaces } from './locations.ts';
import { addPlans } from './memberships.ts';
import { addOrders } from './orders.ts';
import { addPeople } from './people.ts';
import { addRecentChanges } from './recent-changes.ts';

type DemoSecrets = {
  /** The hash of the password that all staff accounts share. */
  passwordHash: string;
  displayTokens: DisplayTokens;
};

/** Nobody waits for these transactions, so that a slow machine may take its time. */
const SEED_OPTIONS = { timeoutMs: 10 * MINUTE_MS };

/**
 * Fills an empty database with sample data, all or nothing, and then its journal. It is the same every time except for the dates, which follow
 * `ctx.now()`.
 *
 * @throws CONFLICT, reason NOT_EMPTY, if the database contains data.
 */
export async function seedDemo(ctx: Context, secrets: DemoSecrets): Promise<void> {
  await runInTransaction(
    ctx,
    async (tx) => {
      if (!(await isDatabaseEmpty(tx))) {
        throw new DomainError(
          'CONFLICT',
          'The sample data needs an empty database. Use a new DATA_DIR or DATABASE_URL.',
          {
            reason: 'NOT_EMPTY',
          },
        );
      }
      const spaces = await addSpaces(tx);
      await addOpeningHours(tx, spaces);
      const members = await addPeople(tx, secrets.passwordHash);
      await addPlans(tx, members);
      await addBookings(tx, spaces, members);
      await addEvents(tx, spaces);
      await addOrders(tx);
      await addDayPasses(tx, spaces);
      await addEventCheckIns(tx);
      await addCheckIns(tx, spaces);
      await addDisplays(tx, spaces, secrets.displayTokens);
      await addAnnouncements(tx, spaces);
      await dismissSetupChecklist(tx); // the demo is set up
    },
    SEED_OPTIONS,
  );
  await runInTransaction(ctx, recordSampleData, SEED_OPTIONS);
  await runInTransaction(ctx, addRecentChanges, SEED_OPTIONS);
}

/** Whether the database contains no location, member, team, plan or user. */
export async function isDatabaseEmpty(ctx: Context): Promise<boolean> {
  const select = { id: true };
  const first =
    (await ctx.db.location.findFirst({ select })) ??
    (await ctx.db.member.findFirst({ select })) ??
    (await ctx.db.team.findFirst({ select })) ??
    (await ctx.db.plan.findFirst({ select })) ??
    (await ctx.db.user.findFirst({ select }));
  return first === null;
}

import { createSecret, type Secret } from '../auth/tokens.ts';
import { type Context, runInTransaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import { addBookings } from './bookings.ts';
import { addCheckIns } from './check-ins.ts';
import { addDayPasses } from './day-passes.ts';
import { addAnnouncements, addDisplays, type DisplayTokens } from './displays.ts';
import { addEvents } from './events.ts';
import { addOpeningHours, addSpaces } from './locations.ts';
import { addPlans } from './memberships.ts';
import { addOrders } from './orders.ts';
import { addPeople } from './people.ts';

type DemoSecrets = {
  /** The staff's common password. */
  passwordHash: string;
  displayTokens: DisplayTokens;
};

/**
 * Fills an empty database with the demo space: the same every time but for the dates, which follow
 * `ctx.now()`. All or nothing; throws CONFLICT, reason `NOT_EMPTY`, where there is data already.
 */
export function seedDemo(ctx: Context, secrets: DemoSecrets): Promise<void> {
  return runInTransaction(ctx, async (tx) => {
    if (!(await isDatabaseEmpty(tx))) {
      throw new DomainError('CONFLICT', 'The demo space needs an empty database.', {
        reason: 'NOT_EMPTY',
      });
    }
    const places = await addSpaces(tx);
    await addOpeningHours(tx, places);
    const members = await addPeople(tx, secrets.passwordHash);
    await addPlans(tx, members);
    await addBookings(tx, places, members);
    await addEvents(tx, places);
    await addOrders(tx);
    await addDayPasses(tx, places);
    await addCheckIns(tx, places);
    await addDisplays(tx, places, secrets.displayTokens);
    await addAnnouncements(tx, places);
  });
}

/** Whether nothing is here yet to which the rest could belong. */
export async function isDatabaseEmpty(ctx: Context): Promise<boolean> {
  const select = { id: true };
  const found =
    (await ctx.db.location.findFirst({ select })) ??
    (await ctx.db.member.findFirst({ select })) ??
    (await ctx.db.team.findFirst({ select })) ??
    (await ctx.db.plan.findFirst({ select })) ??
    (await ctx.db.user.findFirst({ select }));
  return found === null;
}

/** The common password of the demo's staff. */
export const STAFF_PASSWORD = 'tulip orbit cellar';

export const createDisplaySecrets = (): [Secret, Secret, Secret, Secret] => [
  createSecret('deviceToken'),
  createSecret('deviceToken'),
  createSecret('deviceToken'),
  createSecret('deviceToken'),
];

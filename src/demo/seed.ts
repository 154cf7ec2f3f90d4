import { type Ctx, inTransaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import { addBookings } from './bookings.ts';
import { addCheckIns } from './check-ins.ts';
import { addPlans } from './contracts.ts';
import { addDayPasses } from './day-passes.ts';
import { addAnnouncements, addDisplays, type DisplayTokens } from './displays.ts';
import { addEvents } from './events.ts';
import { addHours } from './hours.ts';
import { addOrders } from './orders.ts';
import { addPeople } from './people.ts';
import { addPlaces } from './places.ts';

type DemoSecrets = {
  /** The staff's common password. */
  passwordHash: string;
  displayTokens: DisplayTokens;
};

/**
 * Fills an empty database with the demo space: the same every time but for the dates, which follow
 * `ctx.now()`. All or nothing; throws CONFLICT, reason `NOT_EMPTY`, where there is data already.
 */
export function seedDemo(ctx: Ctx, secrets: DemoSecrets): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    if (!(await isEmpty(tx))) {
      throw new DomainError('CONFLICT', 'The demo space needs an empty database.', {
        reason: 'NOT_EMPTY',
      });
    }
    const places = await addPlaces(tx);
    await addHours(tx, places);
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
export async function isEmpty(ctx: Ctx): Promise<boolean> {
  const select = { id: true };
  const found =
    (await ctx.db.location.findFirst({ select })) ??
    (await ctx.db.member.findFirst({ select })) ??
    (await ctx.db.team.findFirst({ select })) ??
    (await ctx.db.plan.findFirst({ select })) ??
    (await ctx.db.user.findFirst({ select }));
  return found === null;
}

import { createCalendarFeed } from '../../../src/features/calendar-feeds/service.ts';
import { sendTestMessage } from '../../../src/features/webhooks/service/deliveries.ts';
import { createWebhook } from '../../../src/features/webhooks/service/endpoints.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { STAFF, type TestApp } from '../harness/app.ts';

/**
 * Adds rows to the demo space where it has too few for pages: locations, a membership of a team, API tokens, webhooks with
 * deliveries, calendar feeds, emails and erasures. The bookings of one member use their membership.
 */
export async function addRowsOfPeople(app: TestApp) {
  const { ctx } = app;
  const ben = await ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  const user = await ctx.db.user.findUniqueOrThrow({ where: { email: STAFF.owner } });
  const viewer = {
    kind: 'staff',
    role: 'owner',
    sessionId: '',
    id: user.id,
    name: user.name,
  } as const;
  const staff = { ...ctx, viewer };
  const resource = await ctx.db.resource.findFirstOrThrow();
  const plan = await ctx.db.plan.findFirstOrThrow();
  const team = await ctx.db.team.findFirstOrThrow();
  await ctx.db.membership.create({
    data: {
      planId: plan.id,
      teamId: team.id,
      startsOn: new Date('2020-01-01'),
      endsOn: new Date('2020-02-01'),
    },
  });
  const own = await ctx.db.membership.findFirstOrThrow({ where: { memberId: ben.id } });
  await ctx.db.booking.updateMany({
    where: { memberId: ben.id },
    data: { membershipId: own.id, usageMonth: new Date('2026-03-01') },
  });
  for (let index = 1; index <= 4; index += 1) {
    await app.token('members:read');
    await createCalendarFeed(staff, index % 2 ? { memberId: ben.id } : { resourceId: resource.id });
    const { webhook } = await createWebhook(staff, {
      url: `https://example.org/${index}`,
      description: null,
      events: ['*'],
    });
    await sendTestMessage(staff, webhook.id);
    await enqueueEmail(ctx, { to: 'a@example.org', subject: `Email ${index}`, text: 'x' });
    await ctx.db.erasure.create({ data: { counts: {}, userId: user.id } });
    await ctx.db.location.create({
      data: { slug: `place-${index}`, name: 'Place', timeZone: 'Europe/Berlin' },
    });
  }
}

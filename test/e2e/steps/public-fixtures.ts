import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { createDayPassType } from '../../../src/features/day-passes/service/manage-types.ts';
import { createDiscountCode } from '../../../src/features/discounts/service.ts';
import {
  cancelEvent,
  createEvent,
  publishEvent,
} from '../../../src/features/event-management/service/edit-event.ts';
import { createTicketType } from '../../../src/features/event-management/service/ticket-types.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { TestService } from '../service.ts';

export const VERA = { name: 'Vera Lind', email: 'vera@example.org' };
export const OTTO = { name: 'Otto Berg', email: 'otto@example.org' };

const DAY_MS = 86_400_000;
const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' });

/** Restarts the service with the sandbox payment provider. Sessions stay valid. */
export const startSandbox = ({ url, origin, restart }: TestService) =>
  restart(url.slice(origin.length), { PAYMENTS: 'sandbox' });

/** Creates a location with a free event, a paid one, one that is sold out, a cancelled one and day passes. */
export async function createPublicFixtures({ ctx }: TestService) {
  const { id: locationId } = await createLocation(ctx, {
    name: 'Garden house',
    slug: 'garden-house',
    timeZone: 'Europe/Berlin',
    address: 'Gartenweg 5, 10115 Berlin',
  });

  async function coming(title: string, days: number, more: object = {}) {
    const startsAt = new Date(
      Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS + 61_200_000,
    );
    const endsAt = new Date(startsAt.getTime() + 3 * 3_600_000);
    const event = await createEvent(ctx, { title, locationId, startsAt, endsAt, ...more });
    return event.id;
  }

  const evening = await coming('Open evening', 3, {
    slug: 'open-evening',
    summary: 'Meet who works here. Soup and bread for everybody.',
    description: 'Doors open at six.\n\nBring a friend.',
    tags: ['community'],
  });
  await createTicketType(ctx, { eventId: evening, name: 'Seat', price: euros(0), quantity: 30 });

  const workshop = await coming('Letterpress workshop', 9, {
    slug: 'letterpress-workshop',
    summary: 'Set a line of type and print it.',
    tags: ['craft'],
    refundHours: 48,
  });
  for (const type of [
    { name: 'Standard', price: euros(20), quantity: 12, maxPerOrder: 4 },
    { name: 'Material only', price: euros(5), quantity: 3, description: 'Paper and ink to go' },
    { name: 'Members', price: euros(10), audience: 'members' as const },
    { name: 'Last minute', price: euros(30), salesStartAt: new Date(Date.now() + 5 * DAY_MS) },
  ]) {
    await createTicketType(ctx, { eventId: workshop, ...type });
  }
  await createDiscountCode(ctx, { code: 'INK50', percent: 50 });

  const dinner = await coming('Dinner for two', 12, { slug: 'dinner', tags: ['community'] });
  const seats = { eventId: dinner, name: 'Seat', price: euros(0), quantity: 2 };
  const { id: seat } = await createTicketType(ctx, seats);

  const talk = await coming('A talk', 15, { slug: 'a-talk' });
  await createTicketType(ctx, { eventId: talk, name: 'Seat', price: euros(0) });

  for (const id of [evening, workshop, dinner, talk]) await publishEvent(ctx, id);
  await cancelEvent(ctx, talk, 'The speaker has a cold.');
  await placeTicketOrder(ctx, {
    event: dinner,
    buyer: OTTO,
    items: [{ ticketTypeId: seat, quantity: 2 }],
  });

  const atGarden = { locationId, price: euros(25) };
  await createDayPassType(ctx, {
    ...atGarden,
    name: 'Flex desk',
    dailyCapacity: 4,
    daysAhead: 30,
  });
  await createDayPassType(ctx, {
    ...atGarden,
    name: 'Window seat',
    dailyCapacity: 1,
    price: euros(30),
  });
}

const EMAIL_TIMEOUT_MS = 20_000;

/**
 * Returns the link of this kind in the latest email to a person, optionally with a matching subject. Waits for it, since a
 * job queues the emails that follow from changes.
 */
export async function findEmailedLink(
  here: TestService,
  recipient: string,
  path: string,
  subject = /./,
): Promise<string> {
  const deadline = performance.now() + EMAIL_TIMEOUT_MS;
  for (;;) {
    const link = await findLink(here, recipient, path, subject);
    if (link !== undefined) return link;
    assert(performance.now() < deadline, `no email to ${recipient} has a link to /${path}`);
    await setTimeout(250);
  }
}

async function findLink(
  { prisma }: TestService,
  recipient: string,
  path: string,
  subject: RegExp,
): Promise<string | undefined> {
  const mails = await prisma.mail.findMany({
    where: { recipient },
    orderBy: { createdAt: 'desc' },
  });
  const links = mails
    .filter((mail) => subject.test(mail.subject))
    .flatMap(({ text }) => text.match(/http\S+#[\w-]+/g) ?? []);
  return links.find((one) => one.includes(`/${path}#`));
}

export const secretIn = (link: string) => link.replace(/^.*#/, '');

export async function fillBuyer(page: Page | Locator, { name, email } = VERA) {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your email address').fill(email);
}

/** Completes the payment on the page of the sandbox provider. */
export async function payInSandbox(page: Page, button: RegExp) {
  await page.getByRole('heading', { name: 'Test payment' }).waitFor();
  await page.getByRole('button', { name: button }).click();
}

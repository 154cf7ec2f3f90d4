import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { theEvent } from './events.ts';
import { assertFits } from './narrow.ts';

/** The pages of events, orders and day passes, with the names of their screenshots. */
async function pages({ here }: Stage) {
  const event = await theEvent(here);
  const order = await here.prisma.order.findFirstOrThrow();
  return [
    ['/events', 'Events', 'events'],
    [`/events/${event.id}`, 'Map evening', 'event'],
    ['/orders', 'Orders', 'orders'],
    [`/orders/${order.id}`, `Order ${order.code}`, 'order'],
    ['/orders/refunds', 'Refunds', 'refunds'],
    ['/day-passes', 'Day passes', 'day-passes'],
  ] as const;
}

const isThere = async (page: Page, name: string) => {
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
};

export async function narrow(stage: Stage) {
  const { page, panel, shot } = stage;
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [path, name, called] of await pages(stage)) {
    await page.goto(panel(path));
    await isThere(page, name);
    await shot(page, `narrow-${called}`);
    await assertFits(page);
  }
  await page.goto(panel('/events'));
  await page.getByRole('button', { name: 'Create an event' }).first().click();
  await shot(page, 'narrow-event-form');
  await assertFits(page);
  await page.getByRole('dialog').getByLabel('Refunds until').scrollIntoViewIfNeeded();
  await shot(page, 'narrow-event-form-end');
  await assertFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

export async function dark(stage: Stage) {
  const { page, panel, shot } = stage;
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const [path, name, called] of await pages(stage)) {
    await page.goto(panel(path));
    await isThere(page, name);
    await shot(page, `dark-${called}`);
  }
  await page.goto(panel('/events'));
  await page.getByRole('button', { name: 'Create an event' }).first().click();
  await shot(page, 'dark-event-form');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.emulateMedia({ colorScheme: 'light' });
}

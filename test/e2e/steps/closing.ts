import type { Page } from 'playwright-core';
import { createDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { createLocation } from '../../../src/features/spaces/service/locations.ts';
import type { Stage } from '../stage.ts';
import { morningZone } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const SIZES = {
  tv: { width: 1920, height: 1080 },
  '7-inch': { width: 1024, height: 600 },
  phone: { width: 360, height: 740 },
};

/** The location is open from 6:00 to 13:00. Screens that lose the connection in the morning still know when it closes and opens. */
export async function closing({ newPage, here, shot, watch }: Stage) {
  const timeZone = morningZone();
  const { id: locationId } = await createLocation(here.ctx, {
    name: 'Harbour',
    slug: 'harbour',
    timeZone,
  });
  await here.prisma.openingHours.createMany({
    data: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      locationId,
      weekday,
      opensMinute: 6 * 60,
      closesMinute: 13 * 60,
    })),
  });
  const { id: resourceId } = await here.prisma.resource.create({
    data: { name: 'Cabin', slug: 'cabin', type: 'room', locationId },
  });
  const hour = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  const toAfternoon = 14 - Number(hour.format());

  for (const [kind, closed] of [
    ['room_panel', 'opens tomorrow 06:00'],
    ['event_board', 'Closed, opens tomorrow 06:00'],
    ['welcome', 'Closed, opens tomorrow 06:00'],
  ] as const) {
    const input = { name: kind, kind, locationId, resourceId };
    const { deviceToken } = await createDisplay(here.ctx, input);
    const page = await newPage({ viewport: SIZES.tv });
    await page.clock.install();
    await page.goto(`${here.url}/display#${deviceToken}`);
    await isOpen(page, kind);
    await watch.expecting(/ERR_(INTERNET_DISCONNECTED|FAILED)/, async () => {
      await page.context().setOffline(true);
      await page.clock.fastForward(toAfternoon * 3_600_000);
      await page.getByText(closed, { exact: true }).waitFor();
      for (const [name, size] of Object.entries(SIZES)) {
        await page.setViewportSize(size);
        await shot(page, `closed-${kind}-${name}`);
      }
      await assertFits(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(SIZES['7-inch']);
      await shot(page, `closed-${kind}-dark`);
      await page.clock.fastForward('17:00:00');
      await isOpen(page, kind);
      await page.context().close();
    });
  }
}

async function isOpen(page: Page, kind: string) {
  await page.getByText(/^Closed/).waitFor({ state: 'detached' });
  if (kind === 'room_panel') await page.getByText('until 13:00', { exact: true }).waitFor();
  else await page.getByText('Harbour').first().waitFor();
}

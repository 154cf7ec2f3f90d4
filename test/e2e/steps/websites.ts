import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { updateLocation } from '../../../src/features/spaces/service/locations.ts';
import type { Stage } from '../stage.ts';
import { assertFits } from './narrow.ts';
import { payInSandbox } from './public-fixtures.ts';

const PHONE = { width: 360, height: 740 };
const BUYER = { name: 'Ida Wells', email: 'ida@example.org' };

/** What people without scripts, search engines and messengers read. */
export async function withoutScripts({ here, newPage, shots }: Stage) {
  const page = await newPage({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto(`${here.url}/events`);
  await page.screenshot({ path: `${shots}/without-scripts-events.png` });
  assert.match(await page.title(), /Events/);
  await page.getByRole('link', { name: 'Letterpress workshop' }).click();
  await page.getByRole('heading', { name: 'Letterpress workshop', level: 1 }).waitFor();
  await page.getByText('Set a line of type and print it.').first().waitFor();
  await page.getByText('€20.00').first().waitFor();
  await page.screenshot({ path: `${shots}/without-scripts-event.png`, fullPage: true });
  const notes = await page.locator('noscript').allInnerTexts();
  assert(notes.includes('To order tickets, allow JavaScript, or ask at the front desk.'));
  assert(await page.getByRole('button', { name: /Order|Register/ }).isDisabled());
  await page.goto(`${here.url}/events/a-talk`);
  await page.getByText('The speaker has a cold.').waitFor();
  await page.goto(`${here.url}/day-passes`);
  await page.getByRole('radio', { name: /Flex desk/ }).waitFor();
  await page.screenshot({ path: `${shots}/without-scripts-day-passes.png` });
  await page.context().close();
}

/** Another website shows a widget only if a location lists it. People order in it, and pay in a tab of its own. */
export async function widgets({ here, newPage, shots, watch }: Stage) {
  const website = await startWebsite(
    `<!doctype html><html lang="en"><title>Partner</title><meta name="viewport" content="width=device-width">
    <main><h1>Partner</h1><script src="${here.url}/embed.js" data-foyer="events"></script></main></html>`,
  );
  const { id } = await here.prisma.location.findFirstOrThrow({ where: { slug: 'garden-house' } });
  const page = await newPage({ viewport: PHONE });
  const widget = page.frameLocator('iframe[title="Events"]');
  try {
    await watch.expecting(/403/, async () => {
      await page.goto(website.origin);
      await widget.getByText(`${website.origin} is not in the list`).waitFor();
    });
    await page.screenshot({ path: `${shots}/widget-unlisted.png` });

    await updateLocation(here.ctx, id, { embedOrigins: [website.origin] });
    await page.goto(website.origin);
    await widget.getByRole('link', { name: 'Open evening' }).waitFor();
    await assertNoScrollbar();
    await page.screenshot({ path: `${shots}/widget-events.png`, fullPage: true });
    await assertFits(page);

    await widget.getByRole('link', { name: 'Letterpress workshop' }).click();
    await widget.getByRole('button', { name: 'Add one: Standard' }).click();
    await widget.getByLabel('Your name').fill(BUYER.name);
    await widget.getByLabel('Your email address').fill(BUYER.email);
    await assertNoScrollbar();
    await page.screenshot({ path: `${shots}/widget-event.png`, fullPage: true });
    await widget.getByRole('button', { name: 'Order and pay' }).click();
    const opened = page.waitForEvent('popup');
    await widget.getByRole('link', { name: 'Continue to payment' }).click();
    const order = await opened;
    await order.getByRole('link', { name: 'Pay €20.00' }).click();
    await payInSandbox(order, /^Pay/);
    await order.getByText('Your ticket is below').waitFor();
    const orders = await here.prisma.order.findMany({ where: { buyerEmail: BUYER.email } });
    assert.deepEqual(
      orders.map(({ status }) => status),
      ['paid'],
    );
  } finally {
    await page.context().close();
    website.stop();
  }

  /** The frame is as high as its content. */
  async function assertNoScrollbar(): Promise<void> {
    const frame = page.frames().at(-1);
    assert(frame, 'the page has no frame');
    await frame.waitForFunction(
      () => document.documentElement.scrollHeight <= window.innerHeight + 1,
    );
  }
}

/** Serves a page of another origin. */
async function startWebsite(html: string) {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

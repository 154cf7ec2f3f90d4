import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { assertFits } from './narrow.ts';

const PHONE = { width: 360, height: 740 };

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

/** From the start page to a guide, the references and back, on a desktop and on a phone. */
export async function read({ here, newPage, shots }: Stage) {
  const page = await newPage();
  await page.goto(`${here.url}/docs`);
  await heading(page, 'Documentation');
  await page.screenshot({ path: `${shots}/docs-start.png` });
  await page.getByRole('link', { name: 'The REST API' }).first().click();
  await heading(page, 'REST');
  await page.screenshot({ path: `${shots}/docs-guide.png` });

  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('SLOT_TAKEN');
  await page.screenshot({ path: `${shots}/docs-search.png` });
  await page
    .getByRole('option', { name: /SLOT_TAKEN/ })
    .first()
    .click();
  await heading(page, 'Error reasons');
  await page.waitForURL(/#SLOT_TAKEN$/);
  await page.screenshot({ path: `${shots}/docs-error-reason.png` });

  await page.goto(`${here.url}/docs/reference/graphql/mutations#createBooking`);
  await page
    .getByRole('heading', { name: /^createBooking\b/ })
    .first()
    .waitFor();
  await page.screenshot({ path: `${shots}/docs-graphql.png` });
  await page.setViewportSize(PHONE);
  await assertFits(page);
  await page.screenshot({ path: `${shots}/docs-graphql-phone.png` });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.screenshot({ path: `${shots}/docs-menu-phone.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${here.url}/docs/guides/webhooks`);
  await heading(page, 'Webhooks');
  await assertFits(page);
  await page.screenshot({ path: `${shots}/docs-guide-dark-phone.png` });
  await page.context().close();
}

/** The explorer of the REST API runs requests against this service. */
export async function explore({ here, newPage, shots }: Stage) {
  const page = await newPage();
  await page.goto(`${here.url}/docs/reference/rest-explorer`);
  await page.getByRole('link', { name: 'Open the explorer' }).click();
  await page.locator('[id$="-listPublicEvents"] button.opblock-summary-control').click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByText('"success": true').first().waitFor();
  await page.screenshot({ path: `${shots}/docs-explorer.png` });
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${shots}/docs-explorer-dark-phone.png` });
  await page.context().close();
}

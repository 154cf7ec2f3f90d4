import { updateSettings } from '../../../src/features/settings/service.ts';
import { de } from '../../../src/languages/de.ts';
import { de as memberTexts } from '../../../src/languages/member/de.ts';
import type { Stage } from '../stage.ts';
import { createKioskActions } from '../steps/kiosk-actions.ts';
import { getLighthouse, ticketCodes } from '../steps/lighthouse.ts';
import { findSignInLink, MIA } from '../steps/member-fixtures.ts';
import { assertFitsWithLargeText } from '../steps/narrow.ts';
import { createPublicFixtures, fillBuyer, payInSandbox } from '../steps/public-fixtures.ts';
import { getHarbour } from './harbour.ts';

const PHONE = { width: 360, height: 740 };

/** Buys a ticket on a phone in another time zone, after a payment that failed. */
export async function order({ newPage, here }: Stage) {
  await createPublicFixtures(here);
  const page = await newPage({ viewport: PHONE, timezoneId: 'America/New_York' });
  await page.goto(`${here.url}/events`);
  await page.getByRole('link', { name: 'Letterpress workshop' }).click();
  await page.getByRole('button', { name: 'Add one: Standard' }).click();
  await fillBuyer(page);
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await payInSandbox(page, /fail/);
  await page.getByText('The payment failed').waitFor();
  await payInSandbox(page, /^Pay/);
  await page.getByText('Your ticket is below').waitFor();
  await page.getByRole('img', { name: /QR/ }).waitFor();
  await page.context().close();
}

/** A ticket admits once. */
export async function checkIn({ newPage, here }: Stage) {
  await getLighthouse(here);
  const page = await newPage({ viewport: { width: 1024, height: 768 } });
  const { enter, said, field } = createKioskActions(() => page);
  await page.goto(`${here.url}/kiosk/lighthouse`);
  const [code = ''] = await ticketCodes(here);
  await enter(code);
  await said(/^Welcome, Tom!/);
  await field().waitFor(); // the screen closes for the next guest
  await enter(code);
  await said(/already checked in/);
  await page.context().close();
}

/** Books with a plan, on pages in German. */
export async function bookInGerman({ newPage, here }: Stage) {
  await getHarbour(here);
  await updateSettings(here.ctx, { language: 'de' });
  const page = await newPage({ viewport: PHONE });
  await page.goto(`${here.url}/my`);
  await page.getByLabel(memberTexts['signIn.email']).fill(MIA.email);
  await page.getByRole('button', { name: memberTexts['signIn.requestLink'] }).click();
  await page.getByText(memberTexts['signIn.askStaff']).waitFor();
  await page.goto('about:blank');
  await page.goto(await findSignInLink(here, MIA.email));
  await page.getByRole('button', { name: memberTexts['signIn.action'] }).click();
  await page.getByRole('link', { name: memberTexts['bookings.new'] }).click();
  await page.getByRole('combobox', { name: memberTexts['book.location'] }).click();
  await page.getByRole('option', { name: 'Harbour house' }).click();
  await page.getByRole('combobox', { name: memberTexts['book.duration'] }).click();
  await page.getByRole('option', { name: /^2\s/ }).click();
  await page.getByRole('button', { name: de['page.nextDay'] }).click();
  await page.getByLabel(memberTexts['book.earliest']).fill('09:00');
  await page
    .getByRole('list', { name: 'Freie Zeiten: Harbour room' })
    .getByRole('button', { name: '09:00' })
    .click();
  const dialog = page.getByRole('dialog', { name: memberTexts['confirm.title'] });
  await dialog.getByText('15,00 €').first().waitFor();
  await dialog.getByRole('button', { name: memberTexts['confirm.bookPriced'] }).click();
  await page
    .getByRole('list', { name: memberTexts['bookings.upcomingList'] })
    .getByText('Harbour room')
    .waitFor();
  await assertFitsWithLargeText(page);
  await page.context().close();
}

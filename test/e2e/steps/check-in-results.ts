import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { createCheckInFixtures } from './check-in-fixtures.ts';
import { createKioskActions } from './kiosk-actions.ts';
import { getLighthouse, ticketCodes } from './lighthouse.ts';
import { assertFits } from './narrow.ts';

const TABLET = { width: 1024, height: 768 };
const PHONE = { width: 360, height: 740 };

let kiosk: Page;
const { field, button, enter, said, done } = createKioskActions(() => kiosk);

/** Checks the message for each of the twelve results. */
export async function everyResult({ newPage, here, shot }: Stage) {
  await getLighthouse(here);
  const [ofLighthouse = ''] = await ticketCodes(here);
  const { path, codes, fill } = await createCheckInFixtures(here);
  kiosk = await newPage({ viewport: TABLET });
  await kiosk.goto(here.url + path);
  await field().waitFor();

  const checkIn = async (code: string, title: string | RegExp, text: string | RegExp) => {
    await enter(code);
    await said(title);
    await kiosk.getByText(text).waitFor();
  };
  const looks = async (name: string) => {
    await kiosk.mouse.click(20, 20); // keeps the message open
    await shot(kiosk, `kiosk-${name}`);
    await kiosk.setViewportSize(PHONE);
    await shot(kiosk, `kiosk-${name}-narrow`);
    await assertFits(kiosk);
    await kiosk.setViewportSize(TABLET);
  };
  const rejected: [name: string, code: string, title: string, text: string | RegExp][] = [
    ['not-found', 'bcdf ghjk mnpq', 'Code not found', /try again, or use your name/],
    ['unpaid', codes.unpaid, 'Payment required', /^Captain’s dinner\. Pay with the link/],
    ['cancelled', codes.cancelled, 'This was cancelled', /^Open boathouse\. It’s no longer valid/],
    ['early', codes.early, 'You’re early', /^Regatta\. You can check in from one hour before/],
    ['early-pass', codes.passOfTomorrow, 'You’re early', /^Day on deck\. It’s valid on its date/],
    ['expired', codes.late, 'This has expired', /^Early swim\. It’s no longer valid/],
    [
      'elsewhere',
      ofLighthouse,
      'This is for another location',
      /^Evening talk\. Check the address/,
    ],
    ['ambiguous', codes.ofTwo, 'This code is for several people', /your own ticket/],
    ['paused', codes.paused, 'Mary W., your membership is not active', /sell you a day pass/],
  ];
  for (const [name, code, title, text] of rejected) {
    await checkIn(code, title, text);
    await looks(name);
    await done();
  }

  await checkIn(codes.good, 'Welcome, Ida!', 'Open boathouse. Come on in.');
  await looks('admitted');
  await done();
  await fill();
  await checkIn(codes.another, 'We’re full right now', /Please wait a moment/);
  await looks('full');
  await done();
  await checkIn(codes.good, 'Ida R., you’re already checked in', /^Checked in at .* Come on in/);
  await looks('already-in');
  await button('I’m leaving').click();
  await said('Goodbye, Ida!');
  await done();
  await checkIn(
    codes.good,
    'This ticket was already used',
    /^Open boathouse\. Its holder has checked in and out/,
  );
  await looks('used');
  await done();
  await kiosk.context().close();
}

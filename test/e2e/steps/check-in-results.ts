import type { Page } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { handsOn } from './at-kiosk.ts';
import { lighthouse, ticketCodes } from './door-place.ts';
import { assertFits } from './narrow.ts';
import { pier } from './pier-place.ts';

const TABLET = { width: 1024, height: 768 };
const PHONE = { width: 360, height: 740 };

let kiosk: Page;
const { field, button, enter, said, done } = handsOn(() => kiosk);

/** Each of the twelve answers, as the service gives it to whoever types a code. */
export async function everyResult({ newPage, here, shot }: Stage) {
  await lighthouse(here);
  const [ofLighthouse = ''] = await ticketCodes(here);
  const { path, codes, fill } = await pier(here);
  kiosk = await newPage({ viewport: TABLET });
  await kiosk.goto(here.url + path);
  await field().waitFor();

  const answers = async (code: string, title: string | RegExp, text: string | RegExp) => {
    await enter(code);
    await said(title);
    await kiosk.getByText(text).waitFor();
  };
  const looks = async (name: string) => {
    await kiosk.mouse.click(20, 20); // it stays as long as somebody reads
    await shot(kiosk, `kiosk-${name}`);
    await kiosk.setViewportSize(PHONE);
    await shot(kiosk, `kiosk-${name}-narrow`);
    await assertFits(kiosk);
    await kiosk.setViewportSize(TABLET);
  };
  const refused: [name: string, code: string, title: string, text: string | RegExp][] = [
    ['not-found', 'bcdf ghjk mnpq', 'We do not know this code', /try again, or use your name/],
    ['unpaid', codes.unpaid, 'This is not paid yet', /^Captain’s dinner\. Pay by the link/],
    ['cancelled', codes.cancelled, 'This was cancelled', /^Open boathouse\. It lets nobody in/],
    ['early', codes.early, 'You are early', /^Regatta\. You can come in from one hour before/],
    ['early-pass', codes.passOfTomorrow, 'You are early', /^Day on deck\. It is good on its day/],
    ['expired', codes.late, 'This is over', /^Early swim\. It is not good any more/],
    ['elsewhere', ofLighthouse, 'This is for another house', /^Evening talk\. Look at the address/],
    ['ambiguous', codes.ofTwo, 'This code stands for several people', /your own ticket/],
    ['paused', codes.paused, 'Mary W., your membership is not active', /sell you a day pass/],
  ];
  for (const [name, code, title, text] of refused) {
    await answers(code, title, text);
    await looks(name);
    await done();
  }

  await answers(codes.good, 'Welcome, Ida R.!', 'Open boathouse. Please go right in.');
  await looks('admitted');
  await done();
  await fill();
  await answers(codes.another, 'The house is full', /As many people are in as it holds/);
  await looks('full');
  await done();
  await answers(codes.good, 'Ida R., you are in already', /^Since .* Just go in/);
  await looks('already-in');
  await button('I am leaving').click();
  await said('Goodbye, Ida R.!');
  await done();
  await answers(
    codes.good,
    'This ticket was used',
    /^Open boathouse\. Its holder came in and left/,
  );
  await looks('used');
  await done();
  await kiosk.context().close();
}

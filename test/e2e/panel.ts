import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { findChromium, launch } from './chromium.ts';
import { startHere } from './service.ts';
import { type Stage, setStage } from './stage.ts';
import { endedSession, frontDesk, member, secretOutlivesSession, signOut } from './steps/access.ts';
import * as apiKeys from './steps/api-keys.ts';
import { approve, cancel, move } from './steps/booking-changes.ts';
import * as bookings from './steps/bookings.ts';
import { admits } from './steps/camera.ts';
import { everyResult } from './steps/check-in-results.ts';
import { closing } from './steps/closing.ts';
import * as dayPasses from './steps/day-passes.ts';
import { clocks, days } from './steps/desk-days.ts';
import * as deskLooks from './steps/desk-looks.ts';
import * as displays from './steps/displays.ts';
import {
  byCode,
  byName,
  desk,
  leaving,
  looks,
  namesOff,
  offline,
  refusals,
  tooMuch,
  visitor,
} from './steps/door.ts';
import * as events from './steps/events.ts';
import * as kioskPaired from './steps/kiosk-paired.ts';
import * as members from './steps/members.ts';
import * as my from './steps/my.ts';
import { dark, fits, keyboard } from './steps/narrow.ts';
import { paidOnSite, refundOne } from './steps/orders.ts';
import { withoutPath } from './steps/places.ts';
import * as plans from './steps/plans.ts';
import * as everybody from './steps/public.ts';
import * as salesLooks from './steps/sales-looks.ts';
import * as screens from './steps/screens.ts';
import { failures, firstVisit, success } from './steps/sign-in.ts';
import * as spaces from './steps/spaces.ts';
import { account, invite, manage } from './steps/staff.ts';
import * as webhooks from './steps/webhooks.ts';

const steps: [string, (stage: Stage) => Promise<void>][] = [
  ['the first visit leads to the sign-in', firstVisit],
  ['a wrong password, an unreachable service and throttling are explained', failures],
  ['the right password leads to the place that was asked for', success],
  ['without a location the bookings say what to do first', bookings.noLocation],
  ['an empty space says what to do first: a location', displays.firstLocation],
  ['a display is added, with a room in between', displays.create],
  ['it polls and turns online by itself', displays.comesOnline],
  ['its token is rotated, old and new work', displays.rotate],
  ['stale, offline and revoked are told apart', displays.statuses],
  ['opening hours of several spans are set, and overlapping ones refused', spaces.hours],
  ['the rules of a room are changed', spaces.rules],
  ['a plan says in words what it gives', plans.create],
  ['a member is added, found and changed', members.create],
  ['a member starts on a plan, in a team or alone', members.membership],
  ['a booking shows its price before it is made', bookings.create],
  ['a taken slot is refused, and an alternative taken', bookings.alternative],
  ['who is overtaken is told what is free instead', bookings.overtaken],
  ['rules are overridden on purpose only', bookings.override],
  ['a series books the others where some are taken', bookings.series],
  ['a booking moves to where there is room', move],
  ['a cancellation says the fee before', cancel],
  ['what waits for approval is approved', approve],
  ['days are turned by the keyboard, by the clocks of the location', days],
  ['a day on which the clocks change has the hours that it has', clocks],
  ['a closure says how many bookings lie in it', spaces.closure],
  ['a calendar address is shown once', members.calendar],
  ['the front desk books, and changes no spaces', spaces.frontDesk],
  ['an event is a draft at first, and says what is missing', events.draft],
  ['it gets ticket types and a discount code', events.ticketTypes],
  ['it is published', events.publish],
  ['an order appears, and is paid at the front desk', paidOnSite],
  ['one of its tickets is refunded, and the money settled', refundOne],
  ['cancelling an event says what becomes of its tickets', events.cancel],
  ['a day pass says what is left of it', dayPasses.create],
  ['at 360 pixels events, orders and day passes fit', salesLooks.narrow],
  ['in the dark events, orders and day passes can be read', salesLooks.dark],
  ['at 360 pixels bookings, spaces, members and plans fit', deskLooks.narrow],
  ['in the dark bookings, spaces, members and plans can be read', deskLooks.dark],
  ['a key is made from a preset, its secret cannot be lost by accident', apiKeys.create],
  ['the key works; rotated, old and new work', apiKeys.rotate],
  ['revoked, it is refused at once', apiKeys.revoke],
  ['old and idle keys are pointed out, long lists load more', apiKeys.list],
  ['at 360 pixels everything fits', fits],
  ['in the dark everything can be read', dark],
  ['the keyboard alone suffices', keyboard],
  ['the front desk sees displays, and an explanation in place of keys', frontDesk],
  ['a member is told that this is for staff', member],
  ['staff: somebody is invited, and the link sets a password once', invite],
  ['staff: roles, accounts and passwords are changed by owners', manage],
  ['staff: everybody changes their password and ends their sessions', account],
  ['a webhook is added, and its secret shown once', webhooks.create],
  ['a webhook is tested, and what was sent is sent again', webhooks.test],
  ['a webhook whose receiver fails says so, and what waits is sent by hand', webhooks.refused],
  ["a webhook's secret is rotated, and for a while both sign", webhooks.rotate],
  ['webhooks fit narrow screens, the dark and the keyboard', webhooks.narrow],
  ['a webhook is disabled, says why, and is enabled again', webhooks.disable],
  ['a webhook is deleted', webhooks.remove],
  ['a link by mail leads a member to bookings of their own', my.signIn],
  ['a member sees what is free, what it costs and why, and books', my.book],
  ['a member who was too slow is offered the nearest times', my.somebodyIsFaster],
  ['a booking whose answer was lost is told apart from those of others', my.answerIsLost],
  ['a member moves a booking, also to where it overlaps itself', my.move],
  ['a member is told what cancelling costs before it is done', my.cancelling],
  ['times that the clocks show twice are told apart', my.clocksGoBack],
  ['a member sees what is used of the plan, and subscribes to a calendar', my.plan],
  ['a paused member is told why nothing can be booked', my.paused],
  ["members' pages fit wide screens and the dark", my.wideAndDark],
  ["members' pages need no mouse", my.keyboard],
  ['staff is sent to the panel, and a member signs out', my.staffAndSignOut],
  ['whoever comes is told that nothing is coming', everybody.nothingComing],
  ['events are listed, searched and sorted by topic', everybody.list],
  ['a free ticket is ordered once, though its answer was lost', everybody.free],
  ['what cannot be had is said beside it', everybody.refusals],
  ['a ticket is paid for, after a failure and a way back', everybody.pay],
  ['names are changed, and a ticket is given to somebody else', everybody.names],
  ['one ticket is cancelled, and its money goes back', everybody.cancelling],
  ['who waits for a ticket is offered one and takes it', everybody.waitingList],
  ['a waiting list is left by its link', everybody.leaving],
  ['day passes are bought for another day', everybody.dayPasses],
  ['lost links are sent again, to whoever has any', everybody.find],
  ['a cancelled event says why', everybody.cancelledEvent],
  ['the pages for everybody fit wide screens and the dark', everybody.wideAndDark],
  ['the pages for everybody need no mouse', everybody.keyboard],
  ['at the door: a screen shows a code, and staff pairs it', screens.pair],
  ['at the door: a room panel follows what is booked', screens.follow],
  ['at the door: a screen that is cut off goes on alone', screens.cutOff],
  [
    'at the door: staff sees what screens tell of themselves, and changes what they show',
    screens.details,
  ],
  [
    'at the door: a broken screen is replaced, and a revoked one asks to be paired',
    screens.replace,
  ],
  ['at the door: announcements are written, and shown', screens.announcements],
  ['at the door: event boards and welcome screens fit every wall', screens.looks],
  ['at the door: screens say when the house is closed, and when it opens', closing],
  ['at the door: a guest comes in by a code, and the front desk sees it at once', byCode],
  ['at the door: a member comes in by name', byName],
  ['at the door: what is wrong is said, with what to do next', refusals],
  ['at the door: every result has its own words', everyResult],
  ['at the door: whoever asks too much is told to wait', tooMuch],
  ['at the door: a visitor names the host', visitor],
  ['at the door: a code is held in front of the camera', admits],
  ['at the door: guests leave', leaving],
  ['at the door: what is scanned offline is sent later', offline],
  ['at the door: the front desk checks in and out', desk],
  ['at the door: a location chooses what its kiosk tells', namesOff],
  ['at the door: kiosks fit narrow and dark tablets, and need no mouse', looks],
  [
    'at a paired kiosk: a tablet is paired, and finds by name what others may not',
    kioskPaired.pair,
  ],
  ['at a paired kiosk: a member comes in by name, and staff sees where', kioskPaired.byName],
  ['at a paired kiosk: staff is told what was not good after all', kioskPaired.refusedLater],
  ['at a paired kiosk: a revoked one goes on as any other', kioskPaired.revoked],
  ['an ended session leads to the sign-in and back', endedSession],
  ['a secret that was not yet copied outlives the session', secretOutlivesSession],
  ['signing out ends the session', signOut],
  ['it works without a path of its own, on an existing directory', withoutPath],
  ['the pages for everybody stand without a path, too', everybody.withoutPath],
];

/** Those whose names match; the ones at the door need none before them: npm run test:e2e -- "at the door". */
const wanted = process.argv[2];
const chosen = wanted ? steps.filter(([name]) => new RegExp(wanted).test(name)) : steps;

const chromium = findChromium();
if (chromium === undefined) {
  console.log('skipped: there is no Chromium on the PATH');
  process.exit(0);
}
assert(
  existsSync('dist/web/index.html'),
  'build the panel first: dist/web/index.html is not there',
);

const here = await startHere('/foyer');
const browser = await launch(chromium);
let failed = false;
try {
  const stage = await setStage(browser, here);
  for (const [name, run] of chosen) {
    const started = performance.now();
    await run(stage).catch(async (error) => {
      await stage.page.screenshot({ path: `${stage.shots}/failed.png` });
      throw new Error(`not ok: ${name}`, { cause: error });
    });
    assert.deepEqual(stage.watch.take(), [], `the browser complained: ${name}`);
    console.log(`ok: ${name} (${Math.round(performance.now() - started)} ms)`);
  }
  console.log(`${chosen.length} steps; screenshots are in ${stage.shots}`);
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await browser.close();
  await here.remove();
}
process.exit(failed ? 1 : 0);

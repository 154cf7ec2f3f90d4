import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { findChromium, launch } from './chromium.ts';
import { startTestService } from './service.ts';
import { createStage, type Stage, takeScreenshots } from './stage.ts';
import {
  anotherVersion,
  endedSession,
  frontDesk,
  member,
  secretOutlivesSession,
  sections,
  signOut,
} from './steps/access.ts';
import * as apiKeys from './steps/api-keys.ts';
import * as auditLog from './steps/audit-log.ts';
import { withoutPath } from './steps/base-path.ts';
import { approve, cancel, move } from './steps/booking-changes.ts';
import { clocks, days } from './steps/booking-days.ts';
import * as bookingLayout from './steps/booking-layout.ts';
import * as bookings from './steps/bookings.ts';
import { importCalendars } from './steps/calendar-imports.ts';
import { admits } from './steps/camera.ts';
import { everyResult } from './steps/check-in-results.ts';
import { closing } from './steps/closing.ts';
import * as dayPasses from './steps/day-passes.ts';
import * as displays from './steps/displays.ts';
import * as documentation from './steps/documentation.ts';
import { everyForm } from './steps/edit-forms.ts';
import * as emailTemplates from './steps/email-templates.ts';
import * as events from './steps/events.ts';
import * as explorer from './steps/explorer.ts';
import * as kiosk from './steps/kiosk.ts';
import * as mailings from './steps/mailings.ts';
import * as memberPages from './steps/member-pages.ts';
import * as members from './steps/members.ts';
import { dark, fits, keyboard } from './steps/narrow.ts';
import { paidOnSite, refundOne } from './steps/orders.ts';
import * as pairedKiosk from './steps/paired-kiosk.ts';
import * as plans from './steps/plans.ts';
import * as publicPages from './steps/public-pages.ts';
import * as relatedData from './steps/related-data.ts';
import * as salesLayout from './steps/sales-layout.ts';
import * as screens from './steps/screens.ts';
import { firstRun } from './steps/setup.ts';
import { failures, firstVisit, success } from './steps/sign-in.ts';
import * as spaces from './steps/spaces.ts';
import { account, invite, manage } from './steps/staff.ts';
import { narrowSystem, testEmail } from './steps/system.ts';
import * as takings from './steps/takings.ts';
import * as webhooks from './steps/webhooks.ts';
import { widgets, withoutScripts } from './steps/websites.ts';

const steps: [string, (stage: Stage) => Promise<void>][] = [
  ['setup: leads a new owner from the code on the console to the panel', firstRun],
  ['sign-in: asks new visitors to sign in', firstVisit],
  ['sign-in: explains wrong passwords, rate limits and lost connections', failures],
  ['sign-in: returns to the requested page', success],
  ['bookings: ask for a location first', bookings.noLocation],
  ['displays: ask for a location first', displays.firstLocation],
  ['displays: adds a display and its room in one go', displays.create],
  ['displays: shows a polling display as online', displays.comesOnline],
  ['displays: rotates a token while the old one keeps working', displays.rotate],
  ['displays: shows stale, offline and revoked displays', displays.statuses],
  ['spaces: saves opening hours and rejects overlapping ones', spaces.hours],
  ['spaces: changes the booking rules of a room', spaces.rules],
  ['spaces: adds, copies and changes several desks', spaces.several],
  ['plans: creates a plan and summarizes its benefits', plans.create],
  ['members: adds, finds and edits a member', members.create],
  ['members: imports a file', members.importFile],
  ['members: undoes the import', members.undoImport],
  ['imports: reads calendars as events and bookings', importCalendars],
  ['members: starts memberships of members and teams', members.membership],
  ['members: shows what someone else changed meanwhile', members.conflict],
  ['bookings: shows the price before booking', bookings.create],
  ['bookings: offers alternatives to a taken slot', bookings.alternative],
  ['bookings: offers alternatives if someone else was faster', bookings.overtaken],
  ['bookings: asks before overriding a rule', bookings.override],
  ['bookings: books the free dates of a series', bookings.series],
  ['bookings: reschedules a booking', move],
  ['bookings: shows the fee before cancelling', cancel],
  ['bookings: approves a pending booking', approve],
  ['bookings: lists all bookings with filters', takings.allBookings],
  ['bookings: approves and declines requests', takings.requests],
  ["bookings: changes the day by keyboard, in the location's time zone", days],
  ['bookings: shows days on which clocks change', clocks],
  ['spaces: warns of bookings during a closure', spaces.closure],
  ['members: shows a calendar URL once', members.calendar],
  ['spaces: front desk staff can book but not edit spaces', spaces.frontDesk],
  ['events: creates a draft and lists what is missing', events.draft],
  ['events: adds ticket types and a discount code', events.ticketTypes],
  ['events: publishes an event', events.publish],
  ['orders: records a payment at the front desk', paidOnSite],
  ['orders: refunds a ticket and settles the refund', refundOne],
  ['related data: a member with bookings, orders and check-ins', relatedData.member],
  ['related data: a resource with bookings, events and free times', relatedData.resource],
  ['related data: an event with orders, tickets and check-ins', relatedData.event],
  ['related data: a location with events, displays and day passes', relatedData.location],
  ['events: explains what happens to tickets before cancelling', events.cancel],
  ['day passes: shows how many are left', dayPasses.create],
  ['takings: sells day passes at the front desk', takings.sell],
  ['takings: sums what was taken', takings.takings],
  ['takings: closes a day, prints and corrects the closing', takings.close],
  ['layout: events, orders and day passes fit 360 pixels', salesLayout.narrow],
  ['layout: events, orders and day passes in the dark theme', salesLayout.dark],
  ['layout: bookings, spaces, members and plans fit 360 pixels', bookingLayout.narrow],
  ['layout: bookings, spaces, members and plans in the dark theme', bookingLayout.dark],
  ['API keys: creates a key from a preset and protects its secret from being lost', apiKeys.create],
  ['API keys: rotates a key while the old one keeps working', apiKeys.rotate],
  ['API keys: revokes a key immediately', apiKeys.revoke],
  ['API keys: marks old and unused keys and loads long lists', apiKeys.list],
  ['API explorer: runs an example by keyboard with the session of the panel', explorer.session],
  ['API explorer: prefers a pasted key and forgets it with the tab', explorer.key],
  ['layout: every section fits 360 pixels', fits],
  ['layout: every section in the dark theme', dark],
  ['layout: every section works by keyboard', keyboard],
  ['access: front desk staff see displays but cannot change them', frontDesk],
  ['access: the navigation shows what each role can open', sections],
  ['access: members see that the panel is for staff', member],
  ['staff: invites a person, who sets a password once', invite],
  ['staff: owners change roles, accounts and passwords', manage],
  ['staff: everyone changes their own password and ends sessions', account],
  ['mailings: sends an email to members after a preview and a confirmation', mailings.send],
  ['mailings: shows the progress and cancels', mailings.progress],
  ['email templates: changes a text by keyboard, with a preview', emailTemplates.edit],
  ['email templates: resets a text and switches an email off', emailTemplates.resetAndSwitchOff],
  ['audit log: shows who changed a price', auditLog.price],
  ['audit log: filters by member and exports', auditLog.byMember],
  ['system: shows a broken mail server and sends a test email by keyboard', testEmail],
  ['system: fits narrow screens and the dark theme', narrowSystem],
  ['webhooks: adds a webhook and shows its secret once', webhooks.create],
  ['webhooks: sends a test and resends a delivery', webhooks.test],
  ['webhooks: shows failures and resends waiting deliveries', webhooks.failed],
  ['webhooks: rotates a secret while both sign', webhooks.rotate],
  ['related data: every page loads with one request', relatedData.oneRequest],
  ['webhooks: fit narrow screens, the dark theme and the keyboard', webhooks.narrow],
  ['webhooks: disables, explains and enables a webhook', webhooks.disable],
  ['webhooks: deletes a webhook', webhooks.remove],
  ['member pages: signs a member in by an emailed link', memberPages.signIn],
  ['member pages: shows free times and prices and books one', memberPages.book],
  ['member pages: offers the nearest times if a slot was taken', memberPages.slotTaken],
  [
    "member pages: recognizes the member's own booking after a lost response",
    memberPages.lostResponse,
  ],
  ['member pages: reschedules a booking, also to an overlapping time', memberPages.reschedule],
  ['member pages: shows the fee before cancelling', memberPages.cancel],
  ['member pages: distinguishes times that occur twice', memberPages.clocksGoBack],
  ['member pages: books any free desk', memberPages.anyDesk],
  ['member pages: shows the usage of a plan and creates a calendar URL', memberPages.plan],
  ['member pages: explains why a paused member cannot book', memberPages.paused],
  ['member pages: fit wide screens and the dark theme', memberPages.layout],
  ['member pages: work by keyboard', memberPages.keyboard],
  ['member pages: send staff to the panel and sign a member out', memberPages.staffAndSignOut],
  ['public pages: say that there are no events', publicPages.noEvents],
  ['public pages: list, search and filter events', publicPages.listEvents],
  ['public pages: open for people who are signed in', publicPages.signedIn],
  ['public pages: order a free ticket once despite a lost response', publicPages.orderFreeTicket],
  ['public pages: explain errors at the field', publicPages.formErrors],
  ['public pages: pay for a ticket after a failed payment', publicPages.pay],
  ['public pages: change names and transfer a ticket', publicPages.renameAndTransfer],
  ['public pages: cancel and refund one ticket', publicPages.cancelTicket],
  [
    'public pages: change, leave and join a waiting list, and accept its offer',
    publicPages.waitlist,
  ],
  ['public pages: show a waiting list that ended', publicPages.endedWaitlist],
  ['public pages: order day passes for another day', publicPages.dayPasses],
  ['public pages: resend the links to orders', publicPages.findOrders],
  ['public pages: show why an event was cancelled', publicPages.cancelledEvent],
  ['public pages: fit wide screens and the dark theme', publicPages.layout],
  ['public pages: work by keyboard', publicPages.keyboard],
  ['websites: read public pages without scripts', withoutScripts],
  ['websites: show a widget only if they are listed, with orders and payment', widgets],
  ['documentation: guides, search and references', documentation.read],
  ['documentation: runs a request in the REST explorer', documentation.explore],
  ['devices: pair a screen by its code', screens.pair],
  ['devices: a room panel shows its bookings', screens.follow],
  ['devices: a screen keeps working offline', screens.cutOff],
  ['devices: staff see the state of a screen and change its content', screens.details],
  ['devices: staff replace a screen, and a revoked one shows a code', screens.replace],
  ['devices: announcements are added and shown', screens.announcements],
  ['devices: event boards and welcome screens fit every screen', screens.layout],
  ['devices: screens show when the location opens', closing],
  ['devices: a guest checks in by code, and the front desk sees it', kiosk.byCode],
  ['devices: a member checks in by name', kiosk.byName],
  ['devices: a kiosk explains errors', kiosk.errors],
  ['devices: a kiosk explains every result', everyResult],
  ['devices: a kiosk explains rate limits', kiosk.rateLimited],
  ['devices: a visitor checks in with a host', kiosk.visitor],
  ['devices: a guest checks in by camera', admits],
  ['devices: guests check out', kiosk.checkOut],
  ['devices: a kiosk sends offline scans later', kiosk.offline],
  ['devices: the front desk checks guests in and out', kiosk.frontDesk],
  ['devices: a location turns off lookups by name', kiosk.namesDisabled],
  ['devices: kiosks fit narrow and dark tablets and the keyboard', kiosk.layout],
  ['paired kiosk: finds members by name after pairing', pairedKiosk.pair],
  ['paired kiosk: a member checks in by name', pairedKiosk.byName],
  ['paired kiosk: lists offline scans that were rejected', pairedKiosk.rejectedLater],
  ['paired kiosk: continues unpaired after it was revoked', pairedKiosk.revoked],
  ...everyForm,
  ['access: pages of another version of the service work, or ask to be reloaded', anotherVersion],
  ['access: asks to sign in again after a session ended', endedSession],
  ['access: keeps an uncopied secret when the session ends', secretOutlivesSession],
  ['access: signs out', signOut],
  ['base path: works without one, on an existing database', withoutPath],
  ['base path: public pages work without one', publicPages.withoutPath],
];

/** Runs only the steps whose names match. Those of devices need none before them: npm run test:e2e -- devices */
const pattern = process.argv[2];
const selected = pattern ? steps.filter(([name]) => new RegExp(pattern).test(name)) : steps;

const chromium = findChromium();
if (chromium === undefined) {
  console.log('skipped: Chromium is not on the PATH');
  process.exit(0);
}
assert(existsSync('dist/web/index.html'), 'dist/web/index.html is missing: run npm run build:web');

const here = await startTestService('/foyer');
const browser = await launch(chromium);
const failed: string[] = [];
try {
  const stage = await createStage(browser, here);
  for (const [index, [name, run]] of selected.entries()) {
    const started = performance.now();
    try {
      await run(stage);
      assert.deepEqual(stage.watch.take(), [], 'errors in the browser');
      console.log(`ok: ${name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      // The next steps show whether they depend on this one.
      failed.push(name);
      console.error(`failed: ${name}`, error);
      await takeScreenshots(browser, `${stage.shots}/failed-${index + 1}`);
      stage.watch.take();
    }
  }
  console.log(`${selected.length} steps; screenshots are in ${stage.shots}`);
  for (const name of failed) console.log(`failed: ${name}`);
} finally {
  await browser.close();
  await here.remove();
}
process.exit(failed.length > 0 ? 1 : 0);

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { findChromium, launch } from './chromium.ts';
import { startHere } from './service.ts';
import { type Stage, setStage } from './stage.ts';
import * as access from './steps/access.ts';
import * as apiKeys from './steps/api-keys.ts';
import * as displays from './steps/displays.ts';
import * as narrow from './steps/narrow.ts';
import * as places from './steps/places.ts';
import * as signIn from './steps/sign-in.ts';

const steps: [string, (stage: Stage) => Promise<void>][] = [
  ['the first visit leads to the sign-in', signIn.firstVisit],
  ['a wrong password, an unreachable service and throttling are explained', signIn.failures],
  ['the right password leads to the place that was asked for', signIn.success],
  ['an empty space says what to do first: a location', displays.firstLocation],
  ['a display is added, with a room in between', displays.create],
  ['it polls and turns online by itself', displays.comesOnline],
  ['stale, offline and revoked are told apart', displays.statuses],
  ['a key is made from a preset, its secret cannot be lost by accident', apiKeys.create],
  ['the key works; rotated, old and new work', apiKeys.rotate],
  ['revoked, it is refused at once', apiKeys.revoke],
  ['old and idle keys are pointed out, long lists load more', apiKeys.list],
  ['at 360 pixels everything fits', narrow.fits],
  ['in the dark everything can be read', narrow.dark],
  ['the keyboard alone suffices', narrow.keyboard],
  ['the front desk sees displays, and an explanation in place of keys', access.frontDesk],
  ['a member is told that this is for staff', access.member],
  ['an ended session leads to the sign-in and back', access.endedSession],
  ['a secret that was not yet copied outlives the session', access.secretOutlivesSession],
  ['signing out ends the session', access.signOut],
  ['it works without a path of its own, on an existing directory', places.withoutPath],
];

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
  for (const [name, run] of steps) {
    const started = performance.now();
    await run(stage).catch(async (error) => {
      await stage.page.screenshot({ path: `${stage.shots}/failed.png` });
      throw new Error(`not ok: ${name}`, { cause: error });
    });
    assert.deepEqual(stage.watch.take(), [], `the browser complained: ${name}`);
    console.log(`ok: ${name} (${Math.round(performance.now() - started)} ms)`);
  }
  console.log(`${steps.length} steps; screenshots are in ${stage.shots}`);
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  await browser.close();
  await here.remove();
}
process.exit(failed ? 1 : 0);

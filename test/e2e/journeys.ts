import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { findChromium, launch } from './chromium.ts';
import { bookInGerman, checkIn, order } from './journeys/guests.ts';
import {
  book,
  decline,
  importMembers,
  pairDisplay,
  sellDayPass,
  setUp,
  signIn,
} from './journeys/staff.ts';
import { startTestService } from './service.ts';
import { createStage, type Stage, takeScreenshots } from './stage.ts';

// Ten short journeys through the pages, for every change. `npm run test:e2e` looks at every page, in both themes and at all widths.

const journeys: [string, (stage: Stage) => Promise<void>][] = [
  ['sets up a new space', (stage) => setUp(stage, /https?:\S+/.exec(printed)?.[0] ?? '')],
  ['signs in to the panel', signIn],
  ['books a room, but not a taken one', book],
  ['declines a request', decline],
  ['sells a day pass', sellDayPass],
  ['imports members', importMembers],
  ['orders a ticket as a guest on a phone', order],
  ['checks in at a kiosk', checkIn],
  ['pairs a display', pairDisplay],
  ['books as a member in German', bookInGerman],
];

const chromium = findChromium();
if (chromium === undefined) {
  console.log('SKIPPED: the journeys. Chromium is not on the PATH.');
  process.exit(0);
}

assert(existsSync('dist/web/index.html'), 'dist/web/index.html is missing: run npm run build:web');

let printed = '';
const here = await startTestService('/foyer', {
  env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', PAYMENTS: 'sandbox' },
  print: (text) => {
    printed += text;
  },
});
const browser = await launch(chromium);
let failed = 0;
try {
  const stage = await createStage(browser, here);
  for (const [name, run] of journeys) {
    const started = performance.now();
    try {
      await run(stage);
      assert.deepEqual(stage.watch.take(), [], 'errors in the browser');
      console.log(`ok: ${name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      failed += 1;
      console.error(`failed: ${name}`, error);
      await takeScreenshots(browser, `${stage.shots}/failed-${name.replaceAll(' ', '-')}`);
      stage.watch.take();
    }
  }
} finally {
  await browser.close();
  await here.remove();
}
process.exit(failed > 0 ? 1 : 0);

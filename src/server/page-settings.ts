import { setTimeout } from 'node:timers/promises';
import { createSharedCalls } from '../core/shared-calls.ts';
import { DEFAULT_LANGUAGE } from '../languages/languages.ts';
import type { SpaceSettings } from '../languages/space-settings.ts';

/** Of the panel, and of all pages while the settings could never be read. */
export const DEFAULT_PAGE_SETTINGS: SpaceSettings = {
  language: DEFAULT_LANGUAGE,
  name: null,
  taxNote: 'none',
};

const MAX_WAIT_MS = 1_000;

/** Waits as long as a page may wait for its settings, or until the signal ends it. */
type Wait = (signal: AbortSignal) => Promise<unknown>;

const waitForSettings: Wait = (signal) =>
  setTimeout(MAX_WAIT_MS, undefined, { signal, ref: false });

/**
 * Creates the function that returns the settings of pages. Every page reads them, so a change shows at once. If they cannot be
 * read within a second, as during an outage, pages have the last ones. The first pages wait longer, since there are none.
 */
export function createPageSettings(
  read: () => Promise<SpaceSettings>,
  wait = waitForSettings,
): () => Promise<SpaceSettings> {
  const share = createSharedCalls();
  let last: SpaceSettings | undefined;
  let reads = 0;

  async function update(): Promise<void> {
    reads += 1;
    const number = reads;
    const settings = await read().catch(() => last);
    // One that took too long can end after a newer one.
    if (number === reads) last = settings;
  }

  return () =>
    share('settings', async () => {
      if (last === undefined) await update();
      else {
        const answered = new AbortController();
        await Promise.race([update(), wait(answered.signal)]);
        answered.abort();
      }
      return last ?? DEFAULT_PAGE_SETTINGS;
    });
}

import { createSharedCalls } from '../core/shared-calls.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages/languages.ts';

const MAX_WAIT_MS = 1_000;

/**
 * Creates the function that returns the language of displays, kiosks, public pages and the pages of members. Every page reads it, so a change shows at once. If
 * it cannot be read within a second, as during an outage, pages have the last language.
 */
export function createPageLanguage(
  read: () => Promise<Language>,
  maxWaitMs = MAX_WAIT_MS,
): () => Promise<Language> {
  const share = createSharedCalls();
  let last = DEFAULT_LANGUAGE;
  let reads = 0;

  async function update(): Promise<void> {
    reads += 1;
    const number = reads;
    const language = await read().catch(() => last);
    // One that took too long can end after a newer one.
    if (number === reads) last = language;
  }

  return () =>
    share('language', async () => {
      let timer: NodeJS.Timeout | undefined;
      const wait = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxWaitMs).unref();
      });
      await Promise.race([update(), wait]);
      clearTimeout(timer);
      return last;
    });
}

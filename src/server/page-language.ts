import { createSharedCalls } from '../core/shared-calls.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages/languages.ts';

/**
 * Creates the function that returns the language of displays, kiosks and public pages. Every page reads it, so a change shows at once. If
 * it cannot be read, as during an outage, pages have the last language.
 */
export function createPageLanguage(read: () => Promise<Language>): () => Promise<Language> {
  const share = createSharedCalls();
  let last = DEFAULT_LANGUAGE;
  return () =>
    share('language', async () => {
      last = await read().catch(() => last);
      return last;
    });
}

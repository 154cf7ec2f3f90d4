import { createElement, Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { isLanguage, LANGUAGES, type Language } from '../../languages/languages.ts';
import { createTexts, englishTexts, type Texts } from '../../languages/texts.ts';

// A page has one language. The service writes it into the page: that of the space for guests and members, English for the panel.

let texts = englishTexts;
let requested: Language = texts.language;
const listeners = new Set<() => void>();

/** Returns a text in the language of the page. Call it while rendering, not when a module loads. */
export const getText: Texts['text'] = (key, ...values) => texts.text(key, ...values);

/** Returns a text with parts that React renders, such as `<b>bold</b>`. */
export const renderText = createTextRenderer(() => texts);

/** Creates the function that renders texts of a catalog with marked parts. */
export function createTextRenderer<English extends Readonly<Record<string, string>>>(
  getTexts: () => Texts<English>,
) {
  return (
    key: keyof English & string,
    tags: Record<string, (content: ReactNode) => ReactNode>,
    values?: Record<string, string | number>,
  ): ReactNode =>
    toNode(
      getTexts().parts<ReactNode>(
        key,
        Object.fromEntries(
          Object.entries(tags).map(([name, render]) => [name, (parts) => render(toNode(parts))]),
        ),
        values,
      ),
    );
}

function toNode(parts: ReactNode[]) {
  return createElement(Fragment, null, ...parts);
}

export const getPageLanguage = (): Language => texts.language;

/** Sets the texts, which are already loaded. The service renders pages with it. */
export function setPageTexts(next: Texts): void {
  texts = next;
  for (const listener of listeners) listener();
}

/** Loads the texts of a language and shows them. If they cannot be loaded, the page keeps its texts. */
export async function changePageLanguage(language: Language): Promise<void> {
  requested = language;
  const catalog = await LANGUAGES[language].load();
  if (requested !== language) return; // another one has been chosen since
  document.documentElement.lang = language;
  setPageTexts(createTexts(language, catalog));
}

/** Loads the texts of the language that the service has written into the page. Without them, the page is in English. */
export async function loadPageTexts(): Promise<void> {
  const { lang } = document.documentElement;
  if (lang === texts.language || !isLanguage(lang)) return;
  await changePageLanguage(lang).catch(showEnglish);
}

/** Shows the page in English, when some of its texts could not be loaded. */
export function showEnglish(): void {
  setPageTexts(englishTexts);
  document.documentElement.lang = englishTexts.language;
}

/** Renders again when the language changes. */
export const usePageLanguage = (): Language =>
  useSyncExternalStore(subscribe, getPageLanguage, getPageLanguage);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

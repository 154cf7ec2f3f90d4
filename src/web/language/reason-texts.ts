import { isReasonKey } from '../../languages/en.ts';
import { getPageLanguage, getText } from './page-texts.ts';

type ReasonTextLookup = (reason: string) => string | undefined;

let findMoreText: ReasonTextLookup = () => undefined;

/** Adds the texts of reasons that only some pages can meet. */
export function setReasonTexts(find: ReasonTextLookup): void {
  findMoreText = find;
}

/** Says what happened in the language of the page, if the reason has a text. The service says it in English, with more details. */
export function translateReason(reason: string | undefined, message: string): string {
  if (getPageLanguage() === 'en' || reason === undefined) return message;
  const key = `error.reason.${reason}`;
  return isReasonKey(key) ? getText(key) : (findMoreText(reason) ?? message);
}

import { en, type MemberTextKey } from '../../languages/member/en.ts';
import { MEMBER_CATALOGS } from '../../languages/member/member-catalogs.ts';
import { createTexts, type Texts } from '../../languages/texts.ts';
import { createTextRenderer, getPageLanguage, showEnglish } from './page-texts.ts';
import { setReasonTexts } from './reason-texts.ts';

// The texts of the pages of members, beside those of all pages. The panel shows some of them, in English.

type MemberTexts = Texts<typeof en>;

let texts: MemberTexts = createTexts<typeof en>('en', en);

/** Returns a text in the language of the page. Call it while rendering, not when a module loads. */
export const getMemberText: MemberTexts['text'] = (key, ...values) => texts.text(key, ...values);

/** Returns a text with parts that React renders, such as `<b>bold</b>`. */
export const renderMemberText = createTextRenderer(() => texts);

/** Loads the texts in the language of the page. If they cannot be loaded, the page is in English. */
export async function loadMemberTexts(): Promise<void> {
  const language = getPageLanguage();
  if (language === texts.language) return;
  try {
    setMemberTexts(createTexts<typeof en>(language, await MEMBER_CATALOGS[language]()));
  } catch {
    showEnglish();
  }
}

/** Sets the texts, which are already loaded. */
export function setMemberTexts(next: MemberTexts): void {
  texts = next;
  setReasonTexts((reason) => {
    const key = `reason.${reason}`;
    return isMemberTextKey(key) ? texts.text(key) : undefined;
  });
}

/** The texts of reasons have no values. */
const isMemberTextKey = (key: string): key is Extract<MemberTextKey, `reason.${string}`> =>
  Object.hasOwn(en, key);

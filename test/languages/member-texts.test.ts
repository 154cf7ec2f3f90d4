import { VIOLATION_REASONS } from '../../src/features/bookings/rules/booking-rules.ts';
import { LANGUAGES, type Language } from '../../src/languages/languages.ts';
import { en } from '../../src/languages/member/en.ts';
import { createTexts } from '../../src/languages/texts.ts';
import { describeRepeat } from '../../src/web/admin/bookings/booking-repeat.ts';
import { formatBenefit } from '../../src/web/admin/plans/plan-labels.ts';
import { ApiError, formatErrorText } from '../../src/web/api/errors.ts';
import {
  getMemberText,
  loadMemberTexts,
  setMemberTexts,
} from '../../src/web/language/member-texts.ts';
import { setPageTexts } from '../../src/web/language/page-texts.ts';
import { translateReason } from '../../src/web/language/reason-texts.ts';

async function showLanguage(language: Language) {
  setPageTexts(createTexts(language, await LANGUAGES[language].load()));
  await loadMemberTexts();
}

afterEach(async () => {
  setMemberTexts(createTexts<typeof en>('en', en)); // other files of this worker read English
  await showLanguage('en');
});

describe('the texts of members', () => {
  it('are in the language of the page', async () => {
    expect(getMemberText('bookings.title')).toBe('My bookings');
    await showLanguage('de');
    expect(getMemberText('bookings.title')).toBe('Meine Buchungen');
    await showLanguage('fr');
    expect(getMemberText('bookings.title')).toBe('Mes réservations');
  });

  it('describe benefits and repetitions with dates and lists of the language', async () => {
    await showLanguage('de');
    const benefit = { resourceType: 'DESK', includedHours: 5, discountPercent: 20 } as const;
    expect(formatBenefit({ ...benefit, limitHours: 40 })).toBe(
      'Arbeitsplätze: 5 h inbegriffen, danach 20\u00a0% Rabatt, höchstens 40 h pro Monat',
    );
    const repeat = { repeat: 'WEEKLY', weekdays: ['MONDAY'], count: 4 } as const;
    expect(describeRepeat({ ...repeat, weekdays: [...repeat.weekdays] }, '2026-03-19')).toBe(
      'Jede Woche am Montag und Donnerstag',
    );
  });

  it.each(['de', 'fr'] as const)('say in %s why a booking is rejected', async (language) => {
    await showLanguage(language);
    const message = 'In English.';
    const english = VIOLATION_REASONS.filter((name) => translateReason(name, message) === message);
    expect(english).toEqual([]);
  });

  it('translate an error that names a field', async () => {
    const message = 'The rule has no occurrences.';
    const details = { reason: 'SERIES_EMPTY', fields: [{ field: 'rule', message }] };
    const format = () =>
      formatErrorText(new ApiError('VALIDATION', message, details), () => undefined);
    expect(format()).toBe(message);
    await showLanguage('de');
    expect(format()).toBe('Keine dieser Buchungen geht.');
  });
});

import { LANGUAGES, type Language } from '../../src/languages/languages.ts';
import { en } from '../../src/languages/member/en.ts';
import { createTexts, englishTexts } from '../../src/languages/texts.ts';
import { toSeriesDecision } from '../../src/web/admin/bookings/series-decision.ts';
import { loadMemberTexts, setMemberTexts } from '../../src/web/language/member-texts.ts';
import { setPageTexts } from '../../src/web/language/page-texts.ts';
import { toBookLabel, toRescheduleLabel } from '../../src/web/member/book/order-labels.ts';
import { toOrderLabel } from '../../src/web/public/checkout/order-labels.ts';
import { toPayLabel } from '../../src/web/public/orders/pay-label.ts';

afterAll(() => {
  setMemberTexts(createTexts<typeof en>('en', en)); // other files of this worker read English
  setPageTexts(englishTexts);
});

async function setLanguage(language: Language): Promise<void> {
  setPageTexts(createTexts(language, await LANGUAGES[language].load()));
  await loadMemberTexts();
}

/** The labels of all buttons that order something at this price. */
function listOrderButtons(amount: number): string[] {
  const price = { amount, currency: 'EUR' };
  const conflict = { reasons: [{ overridable: true }] };
  return [
    toOrderLabel(price, true),
    toOrderLabel(price, false),
    // Free offers are confirmed.
    ...(amount > 0 ? [toPayLabel({ total: price, isOffer: true })] : []),
    toBookLabel({ status: 'CONFIRMED', price }),
    toBookLabel({ status: 'PENDING', price }),
    toSeriesDecision({ occurrences: [{ price }, { price }], conflicts: [] }).label,
    toSeriesDecision({ occurrences: [{ price }], conflicts: [conflict] }).label,
    toRescheduleLabel({ price }, { price: null }),
    toRescheduleLabel({ price }, { price: { amount: amount / 2, currency: 'EUR' } }),
  ];
}

describe('buttons that order', () => {
  it.each([
    ['de', /zahlungspflichtig/i],
    ['fr', /avec obligation de paiement/],
  ] as const)('say in %s that one has to pay, unless it is free', async (language, words) => {
    await setLanguage(language);
    const priced = listOrderButtons(1_000);
    expect(priced.filter((label) => !words.test(label))).toEqual([]);
    const free = listOrderButtons(0);
    expect(free.filter((label) => words.test(label))).toEqual([]);
  });

  it('stay the same when a booking moves to a time that costs no more', async () => {
    await setLanguage('de');
    const price = { amount: 1_000, currency: 'EUR' };
    expect(toRescheduleLabel({ price }, { price })).toBe('Verschieben');
  });
});

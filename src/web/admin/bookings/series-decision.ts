import type { Money } from '../../../core/money.ts';
import { getMemberText } from '../../language/member-texts.ts';

interface SeriesPreview {
  occurrences: { price: Money | null }[];
  conflicts: { reasons: { overridable: boolean }[] }[];
}

/** Decides what the button says that books a series, and whether staff book against a rule. */
export function toSeriesDecision(preview: SeriesPreview | null | undefined) {
  const bookAll = getMemberText('confirm.bookAll');
  if (!preview) return { label: bookAll, override: false, isBlocked: false };
  const { occurrences, conflicts } = preview;
  const count = occurrences.length;
  if (count > 0 || conflicts.length === 0) {
    const key = conflicts.length === 0 ? 'confirm.bookAllCount' : 'confirm.bookOthers';
    const isPriced = occurrences.some(({ price }) => price !== null && price.amount > 0);
    const label = getMemberText(isPriced ? `${key}Priced` : key, { count });
    return { label, override: false, isBlocked: false };
  }
  const override = conflicts.every(({ reasons }) =>
    reasons.every(({ overridable }) => overridable),
  );
  const label = override ? getMemberText('confirm.bookAllAnyway') : bookAll;
  return { label, override, isBlocked: !override };
}

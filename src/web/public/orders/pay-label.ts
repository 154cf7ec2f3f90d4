import type { Money } from '../../../core/money.ts';
import { formatMoney } from '../../components/money.ts';
import { getText } from '../../language/page-texts.ts';

/** Returns what the button says that leads to the checkout. It accepts an offer; other orders are placed already. */
export const toPayLabel = ({ total, isOffer }: { total: Money; isOffer: boolean }): string =>
  getText(isOffer ? 'order.orderFor' : 'order.pay', { money: formatMoney(total) });

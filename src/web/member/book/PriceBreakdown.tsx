import { Text } from '@mantine/core';
import { formatPriceLine } from '../../admin/bookings/booking-labels.ts';
import type { PricePreview } from '../../admin/bookings/preview-queries.ts';
import { formatExactDateTime } from '../../components/format-ambiguous-time.ts';
import { formatMoney } from '../../components/money.ts';
import { useNow } from '../../components/use-now.ts';
import classes from './PriceBreakdown.module.css';

/** How the price comes about, step by step, and what changing one's mind would cost. */
export function PriceBreakdown({ preview, timeZone }: { preview: PricePreview; timeZone: string }) {
  const now = useNow(30);
  const until = new Date(preview.freeCancellationUntil);
  return (
    <>
      <dl aria-label="Price" className={classes.sum}>
        {preview.lines.map((line) => {
          const [step, amount] = formatPriceLine(line);
          return (
            <div key={line.kind}>
              <dt>{step}</dt>
              <dd>{amount}</dd>
            </div>
          );
        })}
        <div>
          <dt>To pay</dt>
          <dd>{formatMoney(preview.price)}</dd>
        </div>
      </dl>
      {preview.status === 'PENDING' && (
        <Text size="sm">Staff has to confirm it. Until then you may cancel at no cost.</Text>
      )}
      <Text size="sm" c="dimmed">
        {until > now
          ? `Can be moved or cancelled at no cost until ${formatExactDateTime(until, timeZone)}.`
          : 'It begins so soon that it can no longer be moved, or cancelled at no cost.'}
      </Text>
    </>
  );
}

import { Text } from '@mantine/core';
import { formatPriceLine } from '../../admin/bookings/booking-labels.ts';
import type { PricePreview } from '../../admin/bookings/booking-preview.ts';
import { formatCancellationTerms } from '../../admin/bookings/booking-times.ts';
import { useNow } from '../../components/browser-time.tsx';
import { formatPrice } from '../../components/prices.ts';
import { getMemberText } from '../../language/member-texts.ts';
import classes from './PriceBreakdown.module.css';

/** Shows how the price is calculated, and until when the booking can be changed free of charge. */
export function PriceBreakdown({ preview, timeZone }: { preview: PricePreview; timeZone: string }) {
  const now = useNow(30);
  return (
    <>
      <dl aria-label={getMemberText('price.label')} className={classes.lines}>
        {preview.lines.map((line) => {
          const [label, amount] = formatPriceLine(line);
          return (
            <div key={line.kind}>
              <dt>{label}</dt>
              <dd>{amount}</dd>
            </div>
          );
        })}
        <div>
          <dt>{getMemberText('price.total')}</dt>
          <dd>{formatPrice(preview.price)}</dd>
        </div>
      </dl>
      <Text size="sm">{formatCancellationTerms(preview, 'change', timeZone, now)}</Text>
    </>
  );
}

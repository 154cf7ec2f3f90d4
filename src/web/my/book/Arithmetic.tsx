import { Text } from '@mantine/core';
import { lineWords } from '../../features/bookings/booking-words.ts';
import type { PricePreview } from '../../features/bookings/preview-queries.ts';
import { moneyWords } from '../../ui/money.ts';
import { exactMomentIn } from '../../ui/shown-twice.ts';
import { useNow } from '../../ui/use-now.ts';
import classes from './Arithmetic.module.css';

/** How the price comes about, step by step, and what changing one's mind would cost. */
export function Arithmetic({ verdict, timeZone }: { verdict: PricePreview; timeZone: string }) {
  const now = useNow(30);
  const until = new Date(verdict.freeCancellationUntil);
  return (
    <>
      <dl aria-label="Price" className={classes.sum}>
        {verdict.lines.map((line) => {
          const [step, amount] = lineWords(line);
          return (
            <div key={line.kind}>
              <dt>{step}</dt>
              <dd>{amount}</dd>
            </div>
          );
        })}
        <div>
          <dt>To pay</dt>
          <dd>{moneyWords(verdict.price)}</dd>
        </div>
      </dl>
      {verdict.status === 'PENDING' && (
        <Text size="sm">Staff has to confirm it. Until then you may cancel at no cost.</Text>
      )}
      <Text size="sm" c="dimmed">
        {until > now
          ? `Can be moved or cancelled at no cost until ${exactMomentIn(until, timeZone)}.`
          : 'It begins so soon that it can no longer be moved, or cancelled at no cost.'}
      </Text>
    </>
  );
}

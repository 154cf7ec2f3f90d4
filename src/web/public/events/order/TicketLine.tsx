import { Anchor, Button, Group, Text } from '@mantine/core';
import { moneyWords } from '../../../ui/money.ts';
import { StateBadge } from '../../../ui/StateBadge.tsx';
import { Quantity } from '../../ordering/Quantity.tsx';
import type { OfferedType } from '../queries.ts';
import { mostOf, needsSignIn, saleWords, windowWords } from './sale.ts';
import classes from './TicketLine.module.css';

interface Props {
  type: OfferedType;
  timeZone: string;
  isGuest: boolean;
  signInUrl: string;
  quantity: number;
  onChange: (quantity: number) => void;
  onWait: () => void;
}

/** One type: what it is, what it costs, and what one can do about it now. */
export function TicketLine({ type, timeZone, isGuest, signInUrl, ...rest }: Props) {
  const { quantity, onChange, onWait } = rest;
  const { name, description, price, saleState, perOrder } = type;
  const most = mostOf(type, isGuest);
  const window = windowWords(type, timeZone);
  const [color, words] = saleWords(type);
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Group gap="xs" align="baseline">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text>{price.amount === 0 ? 'Free' : moneyWords(price)}</Text>
        </Group>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        <Group gap={6} mt={4}>
          <StateBadge color={color}>{words}</StateBadge>
          {type.audience === 'MEMBERS' && <StateBadge color="indigo">Members only</StateBadge>}
        </Group>
        {window && (
          <Text size="sm" c="dimmed" mt={4}>
            {window}
          </Text>
        )}
        {quantity >= perOrder && perOrder > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            At most {perOrder} in one order
          </Text>
        )}
      </div>
      {most > 0 && (
        <Quantity label={name} value={Math.min(quantity, most)} max={most} onChange={onChange} />
      )}
      {needsSignIn(type, isGuest) && saleState !== 'CLOSED' && (
        <Anchor href={signInUrl} size="sm">
          Sign in to buy it
        </Anchor>
      )}
      {saleState === 'SOLD_OUT' && !needsSignIn(type, isGuest) && (
        <Button variant="default" aria-label={`Join the waiting list: ${name}`} onClick={onWait}>
          Join the waiting list
        </Button>
      )}
    </li>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RESULTS } from '../features/front-desk/result-words.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { clockIn, dayIn } from '../ui/place-words.ts';
import classes from './Kiosk.module.css';
import type { Refused } from './refused.ts';

interface Props {
  refused: Refused[];
  timeZone: string;
  onClear: () => void;
}

/** Whom the kiosk let pass while it could not ask, and what it was told later. */
export const RefusedList = ({ refused, timeZone, onClear }: Props) => (
  <Stack>
    <Text size="sm" c="dimmed">
      These codes were taken while there was no connection. When they were sent, this came of them.
    </Text>
    <ul className={classes.refused} aria-label="Noted offline, and not good">
      {refused.map(({ scanId, occurredAt, leaving, result, label, why }) => (
        <li key={scanId}>
          <b>{result === null ? 'Not recorded, and told only here' : RESULTS[result][1]}</b>
          {label !== null && `, ${label}`}
          {leaving && ', on leaving'}
          <Text size="sm" c="dimmed">
            <time dateTime={occurredAt}>
              {dayIn(occurredAt, timeZone)}, {clockIn(occurredAt, timeZone)}
            </time>
            {why !== null && `: ${why}`}
          </Text>
        </li>
      ))}
    </ul>
    <Clear onClear={onClear} />
  </Stack>
);

/** Anybody may stand here, and the list is not kept anywhere else. */
function Clear({ onClear }: Pick<Props, 'onClear'>) {
  const [isAsked, setIsAsked] = useState(false);
  return isAsked ? (
    <Confirm
      label="Clear it"
      cancelLabel="Keep it"
      onCancel={() => setIsAsked(false)}
      onConfirm={onClear}
      pending={false}
      error={null}
    >
      Clear it? It cannot be brought back: do so only when the front desk has seen it.
    </Confirm>
  ) : (
    <Button variant="default" onClick={() => setIsAsked(true)}>
      Clear the list
    </Button>
  );
}

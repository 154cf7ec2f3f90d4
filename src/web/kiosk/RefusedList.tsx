import { Button, Stack, Text } from '@mantine/core';
import { RESULTS } from '../features/front-desk/result-words.ts';
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
          <b>{result === null ? 'Not recorded' : RESULTS[result][1]}</b>
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
    <Button variant="default" onClick={onClear}>
      Clear the list
    </Button>
  </Stack>
);

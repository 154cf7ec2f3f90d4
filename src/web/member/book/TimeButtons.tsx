import { Button } from '@mantine/core';
import { formatLocalTime } from '../../../core/time/format.ts';
import { formatLocalDateTime } from '../../language/page-dates.ts';
import classes from './TimeButtons.module.css';

export interface TimeSlot {
  startsAt: string;
  endsAt: string;
}

interface Props {
  label: string;
  slots: TimeSlot[];
  timeZone: string;
  /** Set if the slots are on different days. */
  withDay?: boolean;
  onChoose: (slot: TimeSlot) => void;
}

export function TimeButtons({ label, slots, timeZone, withDay = false, onChoose }: Props) {
  const formatStart = withDay ? formatLocalDateTime : formatLocalTime;
  return (
    <ul aria-label={label} className={classes.times}>
      {slots.map(({ startsAt, endsAt }) => (
        <li key={startsAt}>
          <Button variant="light" size="sm" px="sm" onClick={() => onChoose({ startsAt, endsAt })}>
            {formatStart(startsAt, timeZone)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

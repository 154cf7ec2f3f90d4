import { Button } from '@mantine/core';
import { exactClockIn, exactMomentIn } from '../../ui/shown-twice.ts';
import classes from './TimeButtons.module.css';

interface Slot {
  startsAt: string;
  endsAt: string;
}

interface Props {
  label: string;
  slots: Slot[];
  timeZone: string;
  /** Where they are not all on one day. */
  withDay?: boolean;
  onChoose: (slot: Slot) => void;
}

export function TimeButtons({ label, slots, timeZone, withDay = false, onChoose }: Props) {
  const words = withDay ? exactMomentIn : exactClockIn;
  return (
    <ul aria-label={label} className={classes.times}>
      {slots.map(({ startsAt, endsAt }) => (
        <li key={startsAt}>
          <Button variant="light" size="sm" px="sm" onClick={() => onChoose({ startsAt, endsAt })}>
            {words(startsAt, timeZone)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

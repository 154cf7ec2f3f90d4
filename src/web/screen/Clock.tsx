import { clockIn } from '../ui/place-words.ts';
import classes from './Screen.module.css';

export const Clock = ({ now, timeZone }: { now: Date; timeZone: string }) => (
  <time className={classes.clock} dateTime={now.toISOString()}>
    {clockIn(now, timeZone)}
  </time>
);

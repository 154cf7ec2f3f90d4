import { formatLocalTime } from '../../core/time/format.ts';
import classes from './Display.module.css';

export const Clock = ({ now, timeZone }: { now: Date; timeZone: string }) => (
  <time className={classes.clock} dateTime={now.toISOString()}>
    {formatLocalTime(now, timeZone)}
  </time>
);

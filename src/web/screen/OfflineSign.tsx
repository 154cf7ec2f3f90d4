import classes from './Screen.module.css';
import { momentFrom } from './screen-words.ts';

interface Props {
  since: Date | null;
  now: Date;
  timeZone: string;
}

/** Small: what is shown is good for a day, and guests can do nothing about it. Staff sees it in passing. */
export const OfflineSign = ({ since, now, timeZone }: Props) =>
  since && (
    <p className={classes.offline} role="status">
      Offline since {momentFrom(since, now, timeZone)}
    </p>
  );

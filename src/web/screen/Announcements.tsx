import classes from './Announcements.module.css';
import { useTurn } from './use-turn.ts';
import type { Announcement } from './wire.ts';

/** A strip at the bottom, one after the other, the newest first. */
export function Announcements({ announced, now }: { announced: Announcement[]; now: Date }) {
  const turn = useTurn(now, announced.map(({ id }) => id).join()) % announced.length;
  const shown = announced[turn];
  if (shown === undefined) return null;
  return (
    <aside className={classes.strip} aria-label="Announcements">
      <p className={classes.text}>
        <b>{shown.title}</b>
        {shown.body && <span>{shown.body}</span>}
      </p>
      {announced.length > 1 && (
        <span className={classes.count}>
          {turn + 1} of {announced.length}
        </span>
      )}
    </aside>
  );
}

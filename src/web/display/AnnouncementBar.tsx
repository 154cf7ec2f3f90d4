import classes from './AnnouncementBar.module.css';
import type { DisplayedAnnouncement } from './device-api.ts';
import { useRotation } from './display-lists.tsx';

/** A strip at the bottom, one after the other, the newest first. */
export function AnnouncementBar({
  announcements,
  now,
}: {
  announcements: DisplayedAnnouncement[];
  now: Date;
}) {
  const turn = useRotation(now, announcements.map(({ id }) => id).join()) % announcements.length;
  const shown = announcements[turn];
  if (shown === undefined) return null;
  return (
    <aside className={classes.strip} aria-label="Announcements">
      <p className={classes.text}>
        <b>{shown.title}</b>
        {shown.body && <span>{shown.body}</span>}
      </p>
      {announcements.length > 1 && (
        <span className={classes.count}>
          {turn + 1} of {announcements.length}
        </span>
      )}
    </aside>
  );
}

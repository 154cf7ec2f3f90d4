import classes from './AnnouncementBar.module.css';
import type { DisplayedAnnouncement } from './device-transport.ts';
import { useRotation } from './display-lists.tsx';

/** Shows announcements at the bottom of the display in turn, newest first. */
export function AnnouncementBar({
  announcements,
  now,
}: {
  announcements: DisplayedAnnouncement[];
  now: Date;
}) {
  const index = useRotation(now, announcements.map(({ id }) => id).join()) % announcements.length;
  const current = announcements[index];
  if (current === undefined) return null;
  return (
    <section className={classes.bar} aria-label="Announcements">
      <p className={classes.text}>
        <b>{current.title}</b>
        {current.body && <span>{current.body}</span>}
      </p>
      {announcements.length > 1 && (
        <span className={classes.count}>
          {index + 1} of {announcements.length}
        </span>
      )}
    </section>
  );
}

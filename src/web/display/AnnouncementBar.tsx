import { getText } from '../language/page-texts.ts';
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
    <section className={classes.bar} aria-label={getText('display.announcements')}>
      <p className={classes.text}>
        <b>{current.title}</b>
        {current.body && <span>{current.body}</span>}
      </p>
      {announcements.length > 1 && (
        <span className={classes.count}>
          {getText('display.position', { position: index + 1, total: announcements.length })}
        </span>
      )}
    </section>
  );
}

import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { useNow } from '../components/browser-time.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { getText } from '../language/page-texts.ts';
import { AnnouncementBar } from './AnnouncementBar.tsx';
import { getAnnouncements } from './current-content.ts';
import classes from './Display.module.css';
import type { DisplayViewProps } from './device-storage.ts';
import { EventBoard } from './EventBoard.tsx';
import { formatShortTime } from './format-display-time.ts';
import { RoomPanel } from './RoomPanel.tsx';
import type { DisplayDevice } from './use-device.ts';
import { WelcomeBoard } from './WelcomeBoard.tsx';

const VIEWS = {
  room_panel: RoomPanel,
  event_board: EventBoard,
  welcome: WelcomeBoard,
  kiosk: KioskRedirect,
};

export function DisplayView({ device: { snapshot, offlineSince } }: { device: DisplayDevice }) {
  const deviceTime = useNow(1);
  if (snapshot === null) return <StartingView offlineSince={offlineSince} />;
  const now = new Date(deviceTime.getTime() + snapshot.aheadMs);
  const View = VIEWS[snapshot.state.device.kind];
  const announcements = getAnnouncements(snapshot.state, now);
  return (
    <>
      <PageTitle>{snapshot.state.device.name}</PageTitle>
      <div className={classes.content}>
        <View snapshot={snapshot} now={now} />
        <OfflineIndicator
          since={offlineSince && new Date(offlineSince.getTime() + snapshot.aheadMs)}
          now={now}
          timeZone={snapshot.state.device.location.time_zone}
        />
      </div>
      {snapshot.state.device.kind !== 'welcome' && announcements.length > 0 && (
        <AnnouncementBar announcements={announcements} now={now} />
      )}
    </>
  );
}

/** Shown after pairing until the first state is loaded. */
const StartingView = ({ offlineSince }: { offlineSince: Date | null }) => (
  <div className={classes.starting}>
    <p role="status">{getText(offlineSince ? 'display.reconnecting' : 'display.loading')}</p>
  </div>
);

interface OfflineIndicatorProps {
  since: Date | null;
  now: Date;
  timeZone: string;
}

/** Small, because it is for staff: the content stays valid for a day, and guests cannot fix the connection. */
const OfflineIndicator = ({ since, now, timeZone }: OfflineIndicatorProps) =>
  since && (
    <p className={classes.offline} role="status">
      {getText('display.offlineSince', { time: formatShortTime(since, now, timeZone) })}
    </p>
  );

/** Reloads as the kiosk page, so that the browser caches that page for offline use. */
function KioskRedirect({ snapshot }: DisplayViewProps) {
  const { id } = snapshot.state.device.location;
  useEffect(() => window.location.replace(toServiceUrl(`kiosk/${id}`)), [id]);
  return null;
}

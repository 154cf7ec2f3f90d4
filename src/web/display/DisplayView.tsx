import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { useNow } from '../components/use-now.ts';
import { AnnouncementBar } from './AnnouncementBar.tsx';
import classes from './Display.module.css';
import type { DisplaySnapshot } from './device-storage.ts';
import { getAnnouncements } from './display-content.ts';
import { EventBoard } from './EventBoard.tsx';
import { formatShortTime } from './format-display-time.ts';
import { RoomPanel } from './RoomPanel.tsx';
import type { DisplayDevice } from './use-device.ts';
import { WelcomeBoard } from './WelcomeBoard.tsx';

export interface DisplayViewProps {
  snapshot: DisplaySnapshot;
  /** By the service's clock. */
  now: Date;
}

const VIEWS = {
  room_panel: RoomPanel,
  event_board: EventBoard,
  welcome: WelcomeBoard,
  kiosk: KioskRedirect,
};

export function DisplayView({ screen: { snapshot, offlineSince } }: { screen: DisplayDevice }) {
  const here = useNow(1);
  if (snapshot === null) return <StartingView offlineSince={offlineSince} />;
  const now = new Date(here.getTime() + snapshot.aheadMs);
  const Kind = VIEWS[snapshot.state.device.kind];
  const announced = getAnnouncements(snapshot.state, now);
  return (
    <>
      <title>{`${snapshot.state.device.name} · Foyer`}</title>
      <div className={classes.content}>
        <Kind snapshot={snapshot} now={now} />
        <OfflineIndicator
          since={offlineSince && new Date(offlineSince.getTime() + snapshot.aheadMs)}
          now={now}
          timeZone={snapshot.state.device.location.time_zone}
        />
      </div>
      {snapshot.state.device.kind !== 'welcome' && announced.length > 0 && (
        <AnnouncementBar announcements={announced} now={now} />
      )}
    </>
  );
}

/** Paired, and nothing was heard yet. */
const StartingView = ({ offlineSince }: { offlineSince: Date | null }) => (
  <div className={classes.starting}>
    <p role="status">
      {offlineSince
        ? 'The service cannot be reached. This screen goes on trying by itself.'
        : 'One moment …'}
    </p>
  </div>
);

interface OfflineIndicatorProps {
  since: Date | null;
  now: Date;
  timeZone: string;
}

/** Small: what is shown is good for a day, and guests can do nothing about it. Staff sees it in passing. */
const OfflineIndicator = ({ since, now, timeZone }: OfflineIndicatorProps) =>
  since && (
    <p className={classes.offline} role="status">
      Offline since {formatShortTime(since, now, timeZone)}
    </p>
  );

/** A kiosk has a page of its own. It is loaded anew, so that the browser keeps it for when the network is away. */
function KioskRedirect({ snapshot }: DisplayViewProps) {
  const { id } = snapshot.state.device.location;
  useEffect(() => window.location.replace(toServiceUrl(`kiosk/${id}`)), [id]);
  return null;
}

import { useNow } from '../ui/use-now.ts';
import { Announcements } from './Announcements.tsx';
import { EventBoard } from './EventBoard.tsx';
import { OfflineSign } from './OfflineSign.tsx';
import { RoomPanel } from './RoomPanel.tsx';
import classes from './Screen.module.css';
import { announcedAt } from './showing.ts';
import type { Kept } from './storage.ts';
import { ToKiosk } from './ToKiosk.tsx';
import type { Screen } from './use-screen.ts';
import { Welcome } from './Welcome.tsx';

export interface ShowingProps {
  kept: Kept;
  /** By the service's clock. */
  now: Date;
}

const KINDS = { room_panel: RoomPanel, event_board: EventBoard, welcome: Welcome, kiosk: ToKiosk };

export function Showing({ screen: { kept, offlineSince } }: { screen: Screen }) {
  const here = useNow(1);
  if (kept === null) return <Starting offlineSince={offlineSince} />;
  const now = new Date(here.getTime() + kept.aheadMs);
  const Kind = KINDS[kept.state.device.kind];
  const announced = announcedAt(kept.state, now);
  return (
    <>
      <title>{`${kept.state.device.name} · Foyer`}</title>
      <div className={classes.content}>
        <Kind kept={kept} now={now} />
        <OfflineSign
          since={offlineSince && new Date(offlineSince.getTime() + kept.aheadMs)}
          now={now}
          timeZone={kept.state.device.location.time_zone}
        />
      </div>
      {kept.state.device.kind !== 'welcome' && announced.length > 0 && (
        <Announcements announced={announced} now={now} />
      )}
    </>
  );
}

/** Paired, and nothing was heard yet. */
const Starting = ({ offlineSince }: { offlineSince: Date | null }) => (
  <div className={classes.starting}>
    <p role="status">
      {offlineSince
        ? 'The service cannot be reached. This screen goes on trying by itself.'
        : 'One moment …'}
    </p>
  </div>
);

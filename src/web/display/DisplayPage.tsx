import { useOfflinePage, useWakeLock } from '../offline/use-unattended-page.ts';
import classes from './Display.module.css';
import { DisplayView } from './DisplayView.tsx';
import { PairingView } from './PairingView.tsx';
import { useDisplay } from './use-device.ts';

/** What a browser on a wall runs all day, with nobody in front of it who could press anything. */
export function Component() {
  const screen = useDisplay();
  useWakeLock();
  useOfflinePage('display');
  return (
    <main className={classes.screen}>
      <title>Display · Foyer</title>
      {screen.isPaired ? <DisplayView screen={screen} /> : <PairingView screen={screen} />}
    </main>
  );
}

import { useOfflinePage } from '../offline/use-offline-page.ts';
import { Pairing } from './Pairing.tsx';
import classes from './Screen.module.css';
import { Showing } from './Showing.tsx';
import { useScreen } from './use-screen.ts';
import { useWakeLock } from './use-wake-lock.ts';

/** What a browser on a wall runs all day, with nobody in front of it who could press anything. */
export function Component() {
  const screen = useScreen();
  useWakeLock();
  useOfflinePage('display');
  return (
    <main className={classes.screen}>
      <title>Display · Foyer</title>
      {screen.isPaired ? <Showing screen={screen} /> : <Pairing screen={screen} />}
    </main>
  );
}

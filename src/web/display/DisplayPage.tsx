import { PageTitle } from '../components/PageTitle.tsx';
import { getText } from '../language/page-texts.ts';
import { useOfflinePage, useWakeLock } from '../offline/use-unattended-page.ts';
import classes from './Display.module.css';
import { DisplayView } from './DisplayView.tsx';
import { PairingView } from './PairingView.tsx';
import { useDisplay } from './use-device.ts';

/** Runs unattended all day in the browser of a screen. */
export function Component() {
  const device = useDisplay();
  useWakeLock();
  useOfflinePage('display');
  return (
    <main className={classes.screen}>
      <PageTitle>{getText('display.title')}</PageTitle>
      {device.isPaired ? <DisplayView device={device} /> : <PairingView device={device} />}
    </main>
  );
}

import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { useNow } from '../components/browser-time.tsx';
import { Logo } from '../components/PageLayout.tsx';
import classes from './PairingView.module.css';
import type { DisplayDevice } from './use-device.ts';

export function PairingView({
  device: { code, wasRevoked, offlineSince },
}: {
  device: DisplayDevice;
}) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Logo />
      </header>
      <div className={classes.middle}>
        {wasRevoked && (
          <p className={classes.note} role="status">
            This screen was removed in the admin panel. Pair it again to keep using it.
          </p>
        )}
        <h1 className={classes.title}>Pair this screen</h1>
        {code ? <PairingCode {...code} /> : <p className={classes.waiting}>Loading…</p>}
        <p className={classes.instructions}>
          In the admin panel, open <b>Displays</b>, select <b>Pair a screen</b> and enter this code.
        </p>
        {offlineSince && (
          <p className={classes.note} role="status">
            Can’t reach the service. This screen keeps trying to reconnect.
          </p>
        )}
        <KioskBackLink />
      </div>
    </div>
  );
}

function PairingCode({ text, expiresAt }: { text: string; expiresAt: number }) {
  const secondsLeft = Math.max(0, Math.round((expiresAt - useNow(1).getTime()) / 1000));
  const half = Math.ceil(text.length / 2);
  return (
    <>
      <p className={classes.code} role="img" aria-label={`Pairing code: ${[...text].join(' ')}`}>
        <span>{text.slice(0, half)}</span>
        <span>{text.slice(half)}</span>
      </p>
      <p className={classes.expiry}>
        {secondsLeft > 0
          ? `Expires in ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`
          : 'Getting a new code…'}
      </p>
    </>
  );
}

/** The lifetime of a code. If nobody has paired the kiosk by then, guests need the check-in page back. */
const RETURN_DELAY_MS = 10 * 60_000;

/** Links back to the kiosk page, and returns there after a delay. Renders nothing on displays. */
function KioskBackLink() {
  const location = new URLSearchParams(window.location.search).get('kiosk');
  const kioskPath = location ? `kiosk/${encodeURIComponent(location)}` : 'kiosk';
  const backUrl = location === null ? null : toServiceUrl(kioskPath);
  useEffect(() => {
    if (backUrl === null) return;
    const timer = setTimeout(() => window.location.replace(backUrl), RETURN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [backUrl]);
  return (
    backUrl && (
      <Anchor href={backUrl} c="dimmed">
        Back to the kiosk
      </Anchor>
    )
  );
}

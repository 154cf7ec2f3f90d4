import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { Logo } from '../components/Logo.tsx';
import { useNow } from '../components/use-now.ts';
import classes from './PairingView.module.css';
import type { DisplayDevice } from './use-device.ts';

export function PairingView({
  screen: { code, wasRefused, offlineSince },
}: {
  screen: DisplayDevice;
}) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Logo />
      </header>
      <div className={classes.middle}>
        {wasRefused && (
          <p className={classes.note} role="status">
            This screen was taken off in the panel. Pair it again to go on using it.
          </p>
        )}
        <h1 className={classes.title}>Pair this screen</h1>
        {code ? <PairingCode {...code} /> : <p className={classes.waiting}>One moment …</p>}
        <p className={classes.how}>
          In the panel, open <b>Displays</b>, choose <b>Pair a screen</b>, and type this code.
        </p>
        {offlineSince && (
          <p className={classes.note} role="status">
            The service cannot be reached. This screen goes on trying by itself.
          </p>
        )}
        <KioskBackLink />
      </div>
    </div>
  );
}

function PairingCode({ text, expiresAt }: { text: string; expiresAt: number }) {
  const left = Math.max(0, Math.round((expiresAt - useNow(1).getTime()) / 1000));
  const half = Math.ceil(text.length / 2);
  return (
    <>
      <p className={classes.code} role="img" aria-label={`The code is ${[...text].join(' ')}`}>
        <span>{text.slice(0, half)}</span>
        <span>{text.slice(half)}</span>
      </p>
      <p className={classes.left}>
        {left > 0
          ? `Good for another ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
          : 'A new code is coming …'}
      </p>
    </>
  );
}

/** As long as a code holds: whoever only touched the link has left, and the next guest wants to check in. */
const RETURN_DELAY_MS = 10 * 60_000;

/** A kiosk that shows its code comes back to its work, paired or not. */
function KioskBackLink() {
  const place = new URLSearchParams(window.location.search).get('kiosk');
  const back =
    place === null ? null : toServiceUrl(place ? `kiosk/${encodeURIComponent(place)}` : 'kiosk');
  useEffect(() => {
    if (back === null) return;
    const timer = setTimeout(() => window.location.replace(back), RETURN_DELAY_MS);
    return () => clearTimeout(timer);
  }, [back]);
  return (
    back && (
      <Anchor href={back} c="dimmed">
        Back to the kiosk
      </Anchor>
    )
  );
}

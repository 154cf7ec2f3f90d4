import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { toServiceUrl } from '../api/urls.ts';
import { useNow } from '../components/browser-time.tsx';
import { Logo } from '../components/PageLayout.tsx';
import { getText, renderText } from '../language/page-texts.ts';
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
            {getText('display.wasRemoved')}
          </p>
        )}
        <h1 className={classes.title}>{getText('display.pair')}</h1>
        {code ? (
          <PairingCode {...code} />
        ) : (
          <p className={classes.waiting}>{getText('display.loading')}</p>
        )}
        <p className={classes.instructions}>
          {renderText('display.pairInstructions', { b: (label) => <b>{label}</b> })}
        </p>
        {offlineSince && (
          <p className={classes.note} role="status">
            {getText('display.reconnecting')}
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
      <p
        className={classes.code}
        role="img"
        aria-label={getText('display.pairingCode', { code: [...text].join(' ') })}
      >
        <span>{text.slice(0, half)}</span>
        <span>{text.slice(half)}</span>
      </p>
      <p className={classes.expiry}>
        {secondsLeft > 0
          ? getText('display.codeExpires', {
              time: `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`,
            })
          : getText('display.newCode')}
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
        {getText('display.backToKiosk')}
      </Anchor>
    )
  );
}

import { useEffect, useState } from 'react';
import { useNow } from '../components/browser-time.tsx';
import { PageTitle } from '../components/PageTitle.tsx';
import { Clock } from '../display/Clock.tsx';
import { getText } from '../language/page-texts.ts';
import classes from './Kiosk.module.css';
import { MatchesScreen } from './MatchesScreen.tsx';
import type { Kiosk } from './queries.ts';
import { ResultScreen } from './ResultScreen.tsx';
import { StaffMenu } from './StaffMenu.tsx';
import { StartScreen } from './StartScreen.tsx';
import { useIdle } from './use-idle.ts';
import { useKiosk } from './use-kiosk.ts';
import { useKioskPairing } from './use-kiosk-pairing.ts';
import { usePastedCode, useScannerKeys } from './use-scanner-input.ts';
import { VisitorScreen } from './VisitorScreen.tsx';

/** Returns to the start screen, so that the next guest does not see what the last one entered. */
const IDLE_TIMEOUT_SECONDS = 60;
/** Shorter, because this screen shows names. */
const MATCHES_TIMEOUT_SECONDS = 20;

export function KioskFlow({ kiosk }: { kiosk: Kiosk }) {
  const pairing = useKioskPairing(kiosk);
  const state = useKiosk(kiosk, pairing.token);
  const { step, queue, isOnline, restart } = state;
  const [text, setText] = useState('');
  const backToStart = () => {
    setText('');
    restart();
  };
  useIdle(step.at === 'matches' ? MATCHES_TIMEOUT_SECONDS : IDLE_TIMEOUT_SECONDS, backToStart);

  // A scanner types as soon as it sees a code, even while the last guest's result is still shown.
  useScannerKeys(step.at !== 'visitor', (keys) => {
    if (step.at !== 'start') restart();
    setText((current) => (step.at === 'start' ? current + keys : keys));
  });
  usePastedCode(step.at !== 'visitor' && !state.isPending, (code) => {
    const isNextGuest = step.at !== 'start';
    if (isNextGuest) restart();
    setText(code);
    void state.submit(code, isNextGuest ? false : state.leaving);
  });
  useEffect(() => {
    if (step.at === 'result' || step.at === 'matches') setText('');
  }, [step.at]);

  if (step.at === 'result') {
    return <ResultScreen message={step.message} onDone={backToStart} onLeave={step.onLeave} />;
  }
  return (
    <main className={classes.page}>
      <PageTitle>{getText('kiosk.checkInAt', { location: kiosk.name })}</PageTitle>
      <header className={classes.head}>
        <span className={classes.location}>{kiosk.name}</span>
        <LiveClock timeZone={kiosk.timeZone} />
      </header>
      <div className={classes.middle}>
        {step.at === 'start' && (
          <StartScreen kiosk={kiosk} state={state} text={text} onText={setText} />
        )}
        {step.at === 'visitor' && <VisitorScreen state={state} />}
        {step.at === 'matches' && <MatchesScreen step={step} state={state} onBack={backToStart} />}
      </div>
      <footer className={classes.foot}>
        <span role="status">
          {queue.count === 0 && !isOnline && getText('kiosk.offline')}
          {queue.count > 0 && getText('kiosk.scansWaiting', { count: queue.count })}
        </span>
        <StaffMenu kiosk={kiosk} pairing={pairing} queue={queue} isAtStart={step.at === 'start'} />
      </footer>
    </main>
  );
}

const LiveClock = ({ timeZone }: { timeZone: string }) => (
  <Clock now={useNow(1)} timeZone={timeZone} />
);

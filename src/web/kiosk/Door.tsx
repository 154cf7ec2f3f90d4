import { useEffect, useState } from 'react';
import { Clock } from '../screen/Clock.tsx';
import { useNow } from '../ui/use-now.ts';
import { Corner } from './Corner.tsx';
import classes from './Kiosk.module.css';
import { Matches } from './Matches.tsx';
import type { Kiosk } from './queries.ts';
import { Result } from './Result.tsx';
import { Start } from './Start.tsx';
import { useIdle } from './use-idle.ts';
import { useKiosk } from './use-kiosk.ts';
import { usePairing } from './use-pairing.ts';
import { usePastedCode } from './use-pasted-code.ts';
import { useStrayKeys } from './use-stray-keys.ts';
import { Visitor } from './Visitor.tsx';

/** Whoever leaves in the middle leaves nothing behind for the next to read. */
const IDLE_SECONDS = 60;
/** Names of others are read in less. */
const IDLE_SECONDS_WITH_NAMES = 20;

export function Door({ kiosk }: { kiosk: Kiosk }) {
  const pairing = usePairing(kiosk);
  const state = useKiosk(kiosk, pairing.token);
  const { step, uploads, isOnline, restart } = state;
  const [text, setText] = useState('');
  const backToStart = () => {
    setText('');
    restart();
  };
  useIdle(step.at === 'matches' ? IDLE_SECONDS_WITH_NAMES : IDLE_SECONDS, backToStart);

  // A scanner types as soon as it sees a code, whether the last guest's answer still stands there or not.
  useStrayKeys(step.at !== 'visitor', (keys) => {
    if (step.at !== 'start') restart();
    setText((before) => (step.at === 'start' ? before + keys : keys));
  });
  usePastedCode(step.at !== 'visitor' && !state.isPending, (code) => {
    const isNext = step.at !== 'start';
    if (isNext) restart();
    setText(code);
    void state.submit(code, isNext ? false : state.leaving);
  });
  useEffect(() => {
    if (step.at === 'result' || step.at === 'matches') setText('');
  }, [step.at]);

  if (step.at === 'result') {
    return <Result message={step.message} onDone={backToStart} onLeave={step.onLeave} />;
  }
  return (
    <main className={classes.page}>
      <title>{`Check in at ${kiosk.name} · Foyer`}</title>
      <header className={classes.head}>
        <span className={classes.place}>{kiosk.name}</span>
        <TheTime timeZone={kiosk.timeZone} />
      </header>
      <div className={classes.middle}>
        {step.at === 'start' && <Start kiosk={kiosk} state={state} text={text} onText={setText} />}
        {step.at === 'visitor' && <Visitor state={state} />}
        {step.at === 'matches' && <Matches step={step} state={state} onBack={backToStart} />}
      </div>
      <footer className={classes.foot}>
        <span role="status">
          {uploads.count === 0 &&
            !isOnline &&
            'No connection just now: codes are noted and sent later, names cannot be looked up.'}
          {uploads.count > 0 &&
            `No connection: ${uploads.count === 1 ? 'one scan waits' : `${uploads.count} scans wait`} to be sent.`}
        </span>
        <Corner kiosk={kiosk} pairing={pairing} uploads={uploads} isAtStart={step.at === 'start'} />
      </footer>
    </main>
  );
}

const TheTime = ({ timeZone }: { timeZone: string }) => (
  <Clock now={useNow(1)} timeZone={timeZone} />
);

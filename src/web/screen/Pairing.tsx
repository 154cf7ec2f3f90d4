import { Logo } from '../ui/Logo.tsx';
import { useNow } from '../ui/use-now.ts';
import { BackToKiosk } from './BackToKiosk.tsx';
import classes from './Pairing.module.css';
import type { Screen } from './use-screen.ts';

export function Pairing({ screen: { code, wasRefused, offlineSince } }: { screen: Screen }) {
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
        {code ? <Code {...code} /> : <p className={classes.waiting}>One moment …</p>}
        <p className={classes.how}>
          In the panel, open <b>Displays</b>, choose <b>Pair a screen</b>, and type this code.
        </p>
        {offlineSince && (
          <p className={classes.note} role="status">
            The service cannot be reached. This screen goes on trying by itself.
          </p>
        )}
        <BackToKiosk />
      </div>
    </div>
  );
}

function Code({ text, expiresAt }: { text: string; expiresAt: number }) {
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

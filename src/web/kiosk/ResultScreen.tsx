import { useEffect, useRef, useState } from 'react';
import { PageTitle } from '../components/PageTitle.tsx';
import { getText } from '../language/page-texts.ts';
import type { KioskMessage } from './messages.ts';
import classes from './ResultScreen.module.css';

const VISIBLE_SECONDS = { good: 5, notice: 10, stop: 12 };
const TONE_ICONS = {
  good: 'M5 13l5 5L20 7',
  notice: 'M12 6v8M12 18v.01',
  stop: 'M7 7l10 10M17 7L7 17',
};

interface Props {
  message: KioskMessage;
  onDone: () => void;
  /** Offers to check out, for guests who meant to leave. */
  onLeave: (() => void) | null;
}

/** Shows the result on the whole page and closes automatically for the next guest, unless it is touched. */
export function ResultScreen({ message: { tone, title, text }, onDone, onLeave }: Props) {
  const [isHeld, setIsHeld] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const done = useRef(onDone);
  done.current = onDone;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message restarts the timer
  useEffect(() => {
    button.current?.focus();
    setIsHeld(false);
  }, [title, text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message restarts the timer
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => done.current(), VISIBLE_SECONDS[tone] * 1000);
    return () => clearTimeout(timer);
  }, [isHeld, tone, title, text]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      const isPressed = event.key === 'Enter' && document.activeElement?.tagName === 'BUTTON';
      if (isPressed && !event.repeat) return; // the focused button handles it
      event.preventDefault();
      // A repeated Enter was pressed for the previous screen.
      if (!event.repeat) done.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <main className={classes.page} data-tone={tone} onPointerDown={() => setIsHeld(true)}>
      <PageTitle>{title}</PageTitle>
      <div className={classes.message} role="alert">
        <svg className={classes.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d={TONE_ICONS[tone]} />
        </svg>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.text}>{text}</p>
      </div>
      <div className={classes.buttons}>
        <button ref={button} type="button" className={classes.button} onClick={onDone}>
          {getText('kiosk.done')}
        </button>
        {onLeave && (
          <button type="button" className={classes.button} onClick={onLeave}>
            {getText('kiosk.leaving')}
          </button>
        )}
      </div>
      <p className={classes.hint}>
        {isHeld
          ? getText('kiosk.staysOpen')
          : getText('kiosk.closesAfter', { count: VISIBLE_SECONDS[tone] })}
      </p>
    </main>
  );
}

import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Camera, useHasCamera } from './Camera.tsx';
import classes from './Kiosk.module.css';
import type { Kiosk } from './queries.ts';
import type { KioskState } from './use-kiosk.ts';

interface Props {
  kiosk: Kiosk;
  state: KioskState;
  text: string;
  onText: (text: string) => void;
}

/** One field that takes whatever a guest has: a name, an address, a code, or what a scanner types. */
export function Start({ kiosk, state, text, onText }: Props) {
  const { leaving, isPending, problem, findsNames, submit, byCode, restart } = state;
  const [isWatching, setIsWatching] = useState(false);
  const hasCamera = useHasCamera();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever turns to leave types next, too
  useEffect(() => {
    if (!isPending) field.current?.focus();
  }, [isPending, leaving]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !isPending) void submit(text);
    field.current?.focus();
  };
  return (
    <>
      <h1 className={classes.title}>
        {leaving ? 'Leaving? Until next time!' : `Welcome to ${kiosk.name}`}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="who">
          {findsNames ? 'Your name, e-mail address or code' : 'Your e-mail address or code'}
        </label>
        <div className={classes.entry}>
          <input
            ref={field}
            id="who"
            className={classes.field}
            value={text}
            onChange={({ currentTarget: { value } }) => onText(value)}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            aria-invalid={problem !== null}
            aria-describedby="problem"
          />
          <Button type="submit" className={classes.go ?? ''} loading={isPending}>
            {leaving ? 'Check out' : 'Check in'}
          </Button>
        </div>
        {problem === null && (
          <p className={classes.help}>Type it, or hold your QR code in front of the scanner.</p>
        )}
        <p id="problem" role="alert" className={classes.problem}>
          {problem}
        </p>
      </form>
      {isWatching && (
        <Camera
          onCode={(code) => {
            setIsWatching(false);
            void byCode(code);
          }}
          onClose={() => setIsWatching(false)}
        />
      )}
      <div className={classes.others}>
        {hasCamera && !isWatching && (
          <Button
            variant="default"
            className={classes.other ?? ''}
            onClick={() => setIsWatching(true)}
          >
            Scan with the camera
          </Button>
        )}
        <Button
          variant="default"
          className={classes.other ?? ''}
          onClick={() => restart({ leaving, at: 'visitor' })}
        >
          {leaving ? 'I was visiting somebody' : 'I am visiting somebody'}
        </Button>
        <Button
          variant="default"
          className={classes.other ?? ''}
          onClick={() => restart({ leaving: !leaving })}
        >
          {leaving ? 'No, I am arriving' : 'I am leaving'}
        </Button>
      </div>
    </>
  );
}

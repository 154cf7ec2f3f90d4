import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { getText } from '../language/page-texts.ts';
import classes from './Kiosk.module.css';
import type { KioskState } from './use-kiosk.ts';

/** Asks for both names at once, so that selecting the host completes the check-in. */
export function VisitorScreen({ state }: { state: KioskState }) {
  const { leaving, isPending, problem, canLookUpNames, findHost, restart } = state;
  const [name, setName] = useState('');
  const [host, setHost] = useState('');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isNameMissing = isSubmitted && name.trim() === '';
  const nameField = useRef<HTMLInputElement>(null);
  const hostField = useRef<HTMLInputElement>(null);
  useEffect(() => nameField.current?.focus(), []);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (name.trim() === '') nameField.current?.focus();
    else if (host.trim() === '') hostField.current?.focus();
    else if (!isPending) void findHost(host, name.trim());
  };
  return (
    <>
      <h1 className={classes.title}>
        {getText(leaving ? 'kiosk.whoWereYouVisiting' : 'kiosk.whoAreYouVisiting')}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="visitor">
          {getText('kiosk.yourName')}
        </label>
        <input
          ref={nameField}
          id="visitor"
          className={classes.field}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="next"
          aria-invalid={isNameMissing}
          aria-describedby="problem"
        />
        <label className={classes.label} htmlFor="host">
          {getText(canLookUpNames ? 'kiosk.hostNameOrEmail' : 'kiosk.hostEmail')}
        </label>
        <div className={classes.entry}>
          <input
            ref={hostField}
            id="host"
            className={classes.field}
            value={host}
            onChange={({ currentTarget: { value } }) => setHost(value)}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode={canLookUpNames ? 'text' : 'email'}
            enterKeyHint="go"
            aria-describedby="problem"
          />
          <Button type="submit" className={classes.submit ?? ''} loading={isPending}>
            {getText('kiosk.find')}
          </Button>
        </div>
        <p id="problem" role="alert" className={classes.problem}>
          {isNameMissing ? getText('kiosk.nameMissing') : problem}
        </p>
      </form>
      <div className={classes.actions}>
        <Button
          variant="default"
          className={classes.action ?? ''}
          onClick={() => restart({ leaving })}
        >
          {getText('kiosk.back')}
        </Button>
      </div>
    </>
  );
}

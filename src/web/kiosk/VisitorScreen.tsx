import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
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
        {leaving ? 'Who were you visiting?' : 'Who are you visiting?'}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="visitor">
          Your name
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
          {canLookUpNames ? 'Your host’s name or email address' : 'Your host’s email address'}
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
            Find
          </Button>
        </div>
        <p id="problem" role="alert" className={classes.problem}>
          {isNameMissing ? 'Enter your own name first, so your host knows who’s here.' : problem}
        </p>
      </form>
      <div className={classes.actions}>
        <Button
          variant="default"
          className={classes.action ?? ''}
          onClick={() => restart({ leaving })}
        >
          Back
        </Button>
      </div>
    </>
  );
}

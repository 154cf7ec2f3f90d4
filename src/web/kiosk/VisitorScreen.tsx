import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import classes from './Kiosk.module.css';
import type { KioskState } from './use-kiosk.ts';

/** Both names at once, so that what is found can be chosen at once, too. */
export function VisitorScreen({ state }: { state: KioskState }) {
  const { leaving, isPending, problem, findsNames, visit, restart } = state;
  const [name, setName] = useState('');
  const [host, setHost] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isNameless = isTried && name.trim() === '';
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (name.trim() === '') first.current?.focus();
    else if (host.trim() === '') second.current?.focus();
    else if (!isPending) void visit(host, name.trim());
  };
  return (
    <>
      <h1 className={classes.title}>
        {leaving ? 'Whom were you visiting?' : 'Whom are you visiting?'}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="visitor">
          Your name
        </label>
        <input
          ref={first}
          id="visitor"
          className={classes.field}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="next"
          aria-invalid={isNameless}
          aria-describedby="problem"
        />
        <label className={classes.label} htmlFor="host">
          {findsNames ? 'Your host’s name or e-mail address' : 'Your host’s e-mail address'}
        </label>
        <div className={classes.entry}>
          <input
            ref={second}
            id="host"
            className={classes.field}
            value={host}
            onChange={({ currentTarget: { value } }) => setHost(value)}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            inputMode={findsNames ? 'text' : 'email'}
            enterKeyHint="go"
            aria-describedby="problem"
          />
          <Button type="submit" className={classes.go ?? ''} loading={isPending}>
            Find
          </Button>
        </div>
        <p id="problem" role="alert" className={classes.problem}>
          {isNameless ? 'Type your own name first, so that your host knows who came.' : problem}
        </p>
      </form>
      <div className={classes.others}>
        <Button
          variant="default"
          className={classes.other ?? ''}
          onClick={() => restart({ leaving })}
        >
          Back
        </Button>
      </div>
    </>
  );
}

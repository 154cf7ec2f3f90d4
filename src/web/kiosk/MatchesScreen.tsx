import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './Kiosk.module.css';
import type { KioskState } from './use-kiosk.ts';
import type { KioskStep } from './use-steps.ts';

interface Props {
  step: Extract<KioskStep, { at: 'matches' }>;
  state: KioskState;
  onBack: () => void;
}

export function MatchesScreen({ step: { found }, state, onBack }: Props) {
  const { lookup, visitor } = found;
  const { isPending, problem, byMatch } = state;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isOne = lookup.matches.length === 1;
  return (
    <>
      <h1 ref={title} tabIndex={-1} className={classes.title}>
        {formatQuestion(visitor, isOne)}
      </h1>
      <ul className={classes.matches} aria-label="Found">
        {lookup.matches.map((match) => (
          <li key={match.handle}>
            <button
              type="button"
              className={classes.match}
              disabled={isPending}
              onClick={() => void byMatch(match, found)}
            >
              <span className={classes.who}>
                <b>{match.label}</b>
                <span>{match.hint}</span>
              </span>
              <span className={classes.yes}>{formatAnswer(visitor, isOne)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
      <div className={classes.others}>
        <Button variant="default" className={classes.other ?? ''} onClick={onBack}>
          {isOne ? 'No, start again' : 'None of these'}
        </Button>
      </div>
    </>
  );
}

/** As on a button, which the whole card is. */
function formatAnswer(visitor: string | null, isOne: boolean): string {
  const words = visitor === null ? 'that is me' : 'that is my host';
  return isOne ? `Yes, ${words}` : words.replace('that', 'That');
}

function formatQuestion(visitor: string | null, isOne: boolean): string {
  if (visitor !== null) return isOne ? 'Is this your host?' : 'Who is your host?';
  return isOne ? 'Is this you?' : 'Who are you?';
}

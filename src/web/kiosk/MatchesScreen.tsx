import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './Kiosk.module.css';
import type { KioskState, KioskStep } from './use-kiosk.ts';

interface Props {
  step: Extract<KioskStep, { at: 'matches' }>;
  state: KioskState;
  onBack: () => void;
}

export function MatchesScreen({ step: { result }, state, onBack }: Props) {
  const { lookup, visitor } = result;
  const { isPending, problem, selectMatch } = state;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isOne = lookup.matches.length === 1;
  return (
    <>
      <h1 ref={title} tabIndex={-1} className={classes.title}>
        {formatQuestion(visitor, isOne)}
      </h1>
      <ul className={classes.matches} aria-label="Matches">
        {lookup.matches.map((match) => (
          <li key={match.handle}>
            <button
              type="button"
              className={classes.match}
              disabled={isPending}
              onClick={() => void selectMatch(match, result)}
            >
              <span className={classes.person}>
                <b>{match.label}</b>
                <span>{match.hint}</span>
              </span>
              <span className={classes.choose}>{formatAnswer(visitor, isOne)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
      <div className={classes.actions}>
        <Button variant="default" className={classes.action ?? ''} onClick={onBack}>
          {isOne ? 'No, start over' : 'None of these'}
        </Button>
      </div>
    </>
  );
}

/** Returns the label of a match. The whole card is a button. */
function formatAnswer(visitor: string | null, isOne: boolean): string {
  if (visitor === null) return isOne ? 'Yes, that’s me' : 'That’s me';
  return isOne ? 'Yes, that’s my host' : 'That’s my host';
}

function formatQuestion(visitor: string | null, isOne: boolean): string {
  if (visitor !== null) return isOne ? 'Is this your host?' : 'Which one is your host?';
  return isOne ? 'Is this you?' : 'Which one is you?';
}

import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { getText } from '../language/page-texts.ts';
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
      <ul className={classes.matches} aria-label={getText('kiosk.matches')}>
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
          {getText(isOne ? 'kiosk.notThisOne' : 'kiosk.noneOfThese')}
        </Button>
      </div>
    </>
  );
}

/** Returns the label of a match. The whole card is a button. */
function formatAnswer(visitor: string | null, isOne: boolean): string {
  if (visitor === null) return getText(isOne ? 'kiosk.yesMe' : 'kiosk.me');
  return getText(isOne ? 'kiosk.yesMyHost' : 'kiosk.myHost');
}

function formatQuestion(visitor: string | null, isOne: boolean): string {
  if (visitor !== null) return getText(isOne ? 'kiosk.isThisHost' : 'kiosk.whichHost');
  return getText(isOne ? 'kiosk.isThisYou' : 'kiosk.whichYou');
}

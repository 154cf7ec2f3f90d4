import { Checkbox } from '@mantine/core';
import classes from './ScopesOfNoun.module.css';
import { nounTitle } from './scope-words.ts';

interface Props {
  noun: string;
  verbs: string[];
  descriptions: ReadonlyMap<string, string>;
  isChosen: (scope: string) => boolean;
  disabled: boolean;
  onToggle: (scope: string) => void;
}

export const ScopesOfNoun = ({
  noun,
  verbs,
  descriptions,
  isChosen,
  disabled,
  onToggle,
}: Props) => (
  <fieldset className={classes.noun} disabled={disabled}>
    <legend>{nounTitle(noun)}</legend>
    {verbs.map((verb) => {
      const scope = `${noun}:${verb}`;
      return (
        <Checkbox
          key={scope}
          label={verb === 'read' ? 'Read' : 'Write'}
          description={descriptions.get(scope)}
          checked={isChosen(scope)}
          disabled={disabled}
          onChange={() => onToggle(scope)}
        />
      );
    })}
  </fieldset>
);

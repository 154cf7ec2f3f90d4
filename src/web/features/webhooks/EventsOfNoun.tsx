import { Checkbox } from '@mantine/core';
import classes from './EventsOfNoun.module.css';
import { type NounEvents, nounTitle } from './event-words.ts';
import type { WebhookEvent } from './queries.ts';

interface Props {
  of: NounEvents;
  value: string[];
  /** Everything is chosen. */
  disabled: boolean;
  /** Nobody is told by a webhook what they may not read. */
  mayRead: (event: WebhookEvent) => boolean;
  onToggle: (name: string) => void;
}

export function EventsOfNoun({ of, value, disabled, mayRead, onToggle }: Props) {
  const { noun, all, events } = of;
  const isWhole = disabled || value.includes(all);
  const cannotAdd = (name: string, mayBeRead: boolean) => !mayBeRead && !value.includes(name);
  const title = nounTitle(noun);
  return (
    <fieldset className={classes.noun} disabled={disabled}>
      <legend>{title}</legend>
      <Checkbox
        label={`All of ${title.toLowerCase()}`}
        checked={isWhole}
        disabled={disabled || cannotAdd(all, events.every(mayRead))}
        onChange={() => onToggle(all)}
      />
      {events.map((event) => (
        <Checkbox
          key={event.name}
          label={event.name}
          description={event.description}
          checked={isWhole || value.includes(event.name)}
          disabled={isWhole || cannotAdd(event.name, mayRead(event))}
          onChange={() => onToggle(event.name)}
        />
      ))}
    </fieldset>
  );
}

import { Checkbox, Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { may, useStaff } from '../../session/viewer.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { EventsOfNoun } from './EventsOfNoun.tsx';
import { ALL_EVENTS, byNoun, toggled } from './event-words.ts';
import { useWebhookEvents } from './queries.ts';

interface Props {
  value: string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

export function EventPicker({ value, onChange, error }: Props) {
  const viewer = useStaff();
  const known = useWebhookEvents();
  const isEverything = value.includes(ALL_EVENTS);
  const toggle = (name: string) => onChange(toggled(value, name));
  return (
    <Stack gap="sm" role="group" aria-labelledby="events-label" aria-describedby="events-error">
      <div>
        <Input.Label id="events-label" labelElement="div">
          What it is told of
        </Input.Label>
        <Input.Description>
          Choose all of a kind to be told of later additions to it, too.
        </Input.Description>
      </div>
      <Checkbox
        label="Everything"
        description="All that is listed here, and whatever is added later"
        checked={isEverything}
        disabled={!isEverything && !may(viewer, '*')}
        onChange={() => toggle(ALL_EVENTS)}
      />
      <Loaded query={known} height={320}>
        {(events) =>
          byNoun(events).map((noun) => (
            <EventsOfNoun
              key={noun.noun}
              of={noun}
              value={value}
              disabled={isEverything}
              mayRead={({ scope }) => may(viewer, scope)}
              onToggle={toggle}
            />
          ))
        }
      </Loaded>
      <Input.Error id="events-error" role="alert">
        {error}
      </Input.Error>
    </Stack>
  );
}

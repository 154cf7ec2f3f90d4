import { Button, CloseButton, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import classes from './HoursOfDay.module.css';
import type { SpanOfDay } from './opening-hours.ts';

interface Props {
  day: string;
  spans: SpanOfDay[];
  /** What a new span begins as. */
  usual: SpanOfDay;
  problem: string | null;
  onChange: (spans: SpanOfDay[]) => void;
}

/** Two of them and a button stand side by side on a phone. */
const TIGHT = { input: { paddingInline: 8 } };

export function HoursOfDay({ day, spans, usual, problem, onChange }: Props) {
  const change = (index: number, part: Partial<SpanOfDay>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...part } : span)));
  const add = () => onChange([...spans, spans.length === 0 ? usual : { opens: '', closes: '' }]);
  return (
    <fieldset className={classes.day}>
      <legend>{day}</legend>
      <Stack gap={6}>
        {spans.map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have nothing else to be told apart by
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              type="time"
              flex="1 1 0"
              maw={140}
              styles={TIGHT}
              aria-label={`${day} opens, ${index + 1}`}
              value={span.opens}
              onChange={({ currentTarget: { value } }) => change(index, { opens: value })}
            />
            <Text component="span" aria-hidden>
              –
            </Text>
            <TextInput
              type="time"
              flex="1 1 0"
              maw={140}
              styles={TIGHT}
              aria-label={`${day} closes, ${index + 1}`}
              value={span.closes}
              onChange={({ currentTarget: { value } }) => change(index, { closes: value })}
            />
            <CloseButton
              aria-label={`Remove hours ${index + 1} of ${day}`}
              onClick={() => onChange(spans.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        <Group gap="sm">
          {spans.length === 0 && (
            <Text size="sm" c="dimmed">
              Closed
            </Text>
          )}
          <Button size="compact-xs" variant="subtle" onClick={add} aria-label={`Add hours: ${day}`}>
            Add hours
          </Button>
        </Group>
        {problem && <Input.Error role="alert">{problem}</Input.Error>}
      </Stack>
    </fieldset>
  );
}

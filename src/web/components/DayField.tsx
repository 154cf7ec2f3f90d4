import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatLongDate } from '../language/page-dates.ts';
import { getText } from '../language/page-texts.ts';
import { addDays, findDateProblem, isCalendarDate } from './wall-clock.ts';

interface Props {
  today: string;
  day: string;
  onChange: (day: string) => void;
}

/** While someone types a year, browsers report years such as 0020. */
const isYearComplete = (text: string) => text >= '1000';

export function DayField({ today, day, onChange }: Props) {
  // Incomplete input is not a date, so the selected day stays.
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  const problem = isYearComplete(text) ? findDateProblem(text, today) : null;
  const step = (days: number) => onChange(addDays(day, days));
  return (
    <Group gap="xs" align="flex-end">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={getText('page.previousDay')}
        disabled={day <= today}
        onClick={() => step(-1)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <TextInput
        type="date"
        flex="1 1 9rem"
        label={getText('page.date')}
        // In place of the date, so that the buttons beside the field do not move when it loses the focus.
        description={
          problem === null ? (
            formatLongDate(day)
          ) : (
            <Text span inherit c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
          )
        }
        min={today}
        value={text}
        error={problem !== null}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          if (isCalendarDate(value) && value >= today) onChange(value);
        }}
        onBlur={() => setText(day)}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={getText('page.nextDay')}
        onClick={() => step(1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  );
}

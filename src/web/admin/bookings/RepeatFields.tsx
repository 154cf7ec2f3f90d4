import { Chip, Group, Input, NumberInput, Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { WEEKDAYS } from '../../components/opening-hours.ts';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { Weekday } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatShortWeekday, formatWeekday } from '../../language/page-dates.ts';
import {
  describeRepeat,
  findRepeatKind,
  listRepeatOptions,
  listRepeatWeekdays,
  type Repeat,
  type RepeatKind,
} from './booking-repeat.ts';

interface RepeatFieldsProps {
  value: Repeat;
  /** The first day, YYYY-MM-DD in the time zone of the location. Can be empty. */
  day: string;
  countError?: ReactNode;
  onChange: (change: Partial<Repeat>) => void;
}

/** How a booking repeats: daily, on several weekdays, or monthly on a day or a weekday. */
export function RepeatFields({ value, day, countError, onChange }: RepeatFieldsProps) {
  const kind = findRepeatKind(value, day);
  return (
    <>
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <Select
          label={getMemberText('repeat.label')}
          data={listRepeatOptions(day)}
          allowDeselect={false}
          value={kind}
          onChange={(repeat) => onChange({ repeat: repeat as RepeatKind })}
        />
        {kind !== 'NONE' && (
          <NumberInput
            label={getMemberText('repeat.count')}
            min={2}
            max={366}
            allowDecimal={false}
            value={value.count}
            error={countError}
            onChange={(count) => onChange({ count })}
          />
        )}
      </Group>
      {kind === 'WEEKLY' && (
        <WeekdayField
          selected={listRepeatWeekdays(value, day)}
          onChange={(weekdays) => onChange({ weekdays })}
        />
      )}
      {kind !== 'NONE' && isCalendarDate(day) && (
        <Text size="sm" aria-live="polite">
          {describeRepeat(value, day)}
        </Text>
      )}
    </>
  );
}

interface WeekdayFieldProps {
  selected: Weekday[];
  onChange: (weekdays: Weekday[]) => void;
}

/** The weekday of the first booking stays selected. */
const WeekdayField = ({ selected, onChange }: WeekdayFieldProps) => (
  <Input.Wrapper label={getMemberText('repeat.on')} labelElement="div">
    <Chip.Group multiple value={selected} onChange={(weekdays) => onChange(weekdays as Weekday[])}>
      <Group gap={6} role="group" aria-label={getMemberText('repeat.weekdays')}>
        {WEEKDAYS.map(({ value }, index) => (
          <Chip key={value} value={value} size="xs" aria-label={formatWeekday(index + 1)}>
            {formatShortWeekday(index + 1)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  </Input.Wrapper>
);

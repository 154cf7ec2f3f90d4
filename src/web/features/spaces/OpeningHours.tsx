import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { HoursOfDay } from './HoursOfDay.tsx';
import { type LocationDetails, useSetOpeningHours } from './location-queries.ts';
import {
  hoursOf,
  problemWithDay,
  type SpanOfDay,
  WEEKDAYS,
  weekInWords,
  weekOf,
} from './opening-hours.ts';

interface Props {
  location: LocationDetails;
  mayChange: boolean;
}

export function OpeningHours({ location, mayChange }: Props) {
  const [editing, setEditing] = useState(false);
  return (
    <Panel
      title="Opening hours"
      description="By the clocks of the location. Bookings outside of them are refused; staff may override."
      action={
        mayChange &&
        !editing && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            Change hours
          </Button>
        )
      }
    >
      {editing ? (
        <WeekEditor location={location} onClose={() => setEditing(false)} />
      ) : (
        weekInWords(location.openingHours).map((line) => (
          <Text key={line} size="sm">
            {line === 'Always' ? 'Always open: no hours are set.' : line}
          </Text>
        ))
      )}
    </Panel>
  );
}

const USUAL: SpanOfDay = { opens: '09:00', closes: '18:00' };

function WeekEditor({ location, onClose }: { location: LocationDetails; onClose: () => void }) {
  const [week, setWeek] = useState(() => weekOf(location.openingHours));
  const [isChecked, setIsChecked] = useState(false);
  const save = useSetOpeningHours(location.id, () => {
    notifyDone('The opening hours are saved.');
    onClose();
  });
  const problems = WEEKDAYS.map(({ value }) => problemWithDay(week[value]));
  const copyMonday = () => {
    const { MONDAY } = week;
    setWeek({
      ...week,
      TUESDAY: MONDAY,
      WEDNESDAY: MONDAY,
      THURSDAY: MONDAY,
      FRIDAY: MONDAY,
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsChecked(true);
        if (problems.every((problem) => problem === null)) save.mutate(hoursOf(week));
      }}
    >
      <Stack gap="sm">
        <FormFailure error={save.error} />
        {WEEKDAYS.map(({ value, label }, index) => (
          <HoursOfDay
            key={value}
            day={label}
            spans={week[value]}
            usual={USUAL}
            problem={isChecked ? (problems[index] ?? null) : null}
            onChange={(spans) => setWeek({ ...week, [value]: spans })}
          />
        ))}
        <Group>
          <Button size="xs" variant="default" onClick={copyMonday}>
            Monday’s hours for all weekdays
          </Button>
        </Group>
        {hoursOf(week).length === 0 && (
          <Text size="sm" c="dimmed">
            Without any hours the location is always open.
          </Text>
        )}
      </Stack>
      <DialogActions label="Save hours" onCancel={onClose} pending={save.isPending} />
    </form>
  );
}

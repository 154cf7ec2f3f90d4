import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { asApiError } from '../../api/errors.ts';
import { useMoveBooking } from '../../features/bookings/changes.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { zoneWords } from '../../ui/place-words.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { dayAt, minutesBetween } from '../../ui/wall-clock.ts';
import { DayField } from '../book/DayField.tsx';
import { Nearest } from '../book/Nearest.tsx';
import { MoveTimes } from './MoveTimes.tsx';
import type { MyBooking } from './queries.ts';

/** To another time of the same thing, for as long; the old time is kept until the new one is had. */
export function MoveBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { id, resource, location, startsAt, endsAt, seriesId } = booking;
  const { timeZone } = location;
  const [today] = useState(() => dayAt(new Date(), timeZone));
  const [day, setDay] = useState(() => dayAt(startsAt, timeZone));
  const [target, setTarget] = useState<{ startsAt: string; endsAt: string } | null>(null);
  const move = useMoveBooking((to) => {
    const end = new Date(new Date(to).getTime() + minutesBetween(startsAt, endsAt) * 60_000);
    notifyDone(`Moved: ${resource.name}, ${exactSpanIn(to, end.toISOString(), timeZone)}.`);
    onClose();
  });
  const choose = (slot: typeof target) => {
    move.reset();
    setTarget(slot);
  };
  const others = move.error ? (asApiError(move.error).details.alternatives ?? []) : [];
  // To itself its present time is free, and no move.
  const alternatives = others.filter((slot) => slot.startsAt !== startsAt);
  return (
    <Stack gap="sm">
      <Text size="sm">
        <b>{resource.name}</b> is yours on {exactSpanIn(startsAt, endsAt, timeZone)} (
        {zoneWords(timeZone)}).{seriesId !== null && ' Only this one of the series is moved.'}
      </Text>
      <FormFailure error={move.error} />
      <Nearest slots={alternatives} timeZone={timeZone} onChoose={choose} />
      {target === null ? (
        <>
          <DayField today={today} day={day} onChange={setDay} />
          <MoveTimes booking={booking} day={day} onChoose={choose} />
        </>
      ) : alternatives.length > 0 ? (
        <Button variant="default" onClick={() => choose(null)}>
          Look for another time
        </Button>
      ) : (
        <>
          <Text size="sm">
            To <b>{exactSpanIn(target.startsAt, target.endsAt, timeZone)}</b>? The price is worked
            out anew for that time; your list shows it.
          </Text>
          <DialogActions
            label="Move booking"
            cancelLabel="Another time"
            pending={move.isPending}
            onCancel={() => choose(null)}
            onConfirm={() => move.mutate({ id, ...target, scope: 'THIS', override: false })}
          />
        </>
      )}
    </Stack>
  );
}

import { Box, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isSameSlot } from '../../admin/bookings/booking-labels.ts';
import { useRescheduleBooking } from '../../admin/bookings/mutations.ts';
import { type Slot, useReschedulePreview } from '../../admin/bookings/preview-queries.ts';
import { DayField } from '../../components/DayField.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatExactDateTimeRange } from '../../components/format-ambiguous-time.ts';
import { formatLongDate, formatTimeZone } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import {
  addMinutes,
  countMinutesBetween,
  parseWallClock,
  toLocalDate,
  toLocalTime,
} from '../../components/wall-clock.ts';
import { BookingUnavailable } from '../book/BookingUnavailable.tsx';
import { PriceBreakdown } from '../book/PriceBreakdown.tsx';
import { useFreeTimes } from '../book/queries.ts';
import { TimeButtons } from '../book/TimeButtons.tsx';
import type { MyBooking } from './queries.ts';

/** To another time of the same thing, for as long; the old time is kept until the new one is had. */
export function RescheduleBooking({
  booking,
  onClose,
}: {
  booking: MyBooking;
  onClose: () => void;
}) {
  const { resource, location, startsAt, endsAt, seriesId } = booking;
  const { timeZone } = location;
  const [today] = useState(() => toLocalDate(new Date(), timeZone));
  const [day, setDay] = useState(() => toLocalDate(startsAt, timeZone));
  const [start, setStart] = useState('');
  const [target, setTarget] = useState<Slot | null>(null);
  const look = (day: string) => {
    setDay(day);
    setStart('');
    setTarget(null);
  };
  const choose = (slot: Slot) => {
    setDay(toLocalDate(slot.startsAt, timeZone));
    setStart(toLocalTime(slot.startsAt, timeZone));
    setTarget(slot);
  };
  const type = (start: string) => {
    const at = parseWallClock(day, start, timeZone);
    setStart(start);
    setTarget(
      at ? { startsAt: at, endsAt: addMinutes(at, countMinutesBetween(startsAt, endsAt)) } : null,
    );
  };
  const isThere = target !== null && isSameSlot(target, booking);
  return (
    <Stack gap="sm">
      <Text size="sm">
        <b>{resource.name}</b> is yours on {formatExactDateTimeRange(startsAt, endsAt, timeZone)} (
        {formatTimeZone(timeZone)}).{seriesId !== null && ' Only this one of the series is moved.'}
      </Text>
      <DayField today={today} day={day} onChange={look} />
      <TextInput
        type="time"
        label="New start"
        description="It may overlap the present time."
        value={start}
        error={getStartError(start, target, isThere)}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      {target === null || isThere ? (
        <RescheduleSlots booking={booking} day={day} onChoose={choose} />
      ) : (
        <ConfirmReschedule
          key={target.startsAt}
          booking={booking}
          target={target}
          onChoose={choose}
          onOther={() => look(day)}
          onClose={onClose}
        />
      )}
    </Stack>
  );
}

function getStartError(start: string, target: Slot | null, isThere: boolean): string | null {
  if (start !== '' && target === null) return 'The clocks skip this time on that day';
  return isThere ? 'That is when it begins now' : null;
}

interface RescheduleSlotsProps {
  booking: MyBooking;
  day: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
}

function RescheduleSlots({ booking, day, onChoose }: RescheduleSlotsProps) {
  const { resource, startsAt, endsAt } = booking;
  const { timeZone } = booking.location;
  const minutes = countMinutesBetween(startsAt, endsAt);
  const times = useFreeTimes({ resourceId: resource.id, minutes, day, timeZone });
  return (
    <QueryBoundary query={times} height={120}>
      {([found]) => {
        const slots = found?.slots ?? [];
        if (slots.length === 0) {
          return (
            <Text size="sm" role="status">
              {resource.name} has no other free time for as long on {formatLongDate(day)}. Choose
              another day.
            </Text>
          );
        }
        return (
          <Box aria-busy={times.isPlaceholderData} opacity={times.isPlaceholderData ? 0.6 : 1}>
            <Text size="sm">Or take a free time:</Text>
            <TimeButtons
              label={`Free times of ${resource.name}`}
              slots={slots}
              timeZone={timeZone}
              onChoose={onChoose}
            />
          </Box>
        );
      }}
    </QueryBoundary>
  );
}

interface ConfirmRescheduleProps {
  booking: MyBooking;
  target: Slot;
  onChoose: (slot: Slot) => void;
  onOther: () => void;
  onClose: () => void;
}

/** What it would cost then and whether it can be had, before it is moved. */
function ConfirmReschedule({
  booking,
  target,
  onChoose,
  onOther,
  onClose,
}: ConfirmRescheduleProps) {
  const { timeZone } = booking.location;
  const { startsAt, endsAt } = target;
  const when = formatExactDateTimeRange(startsAt, endsAt, timeZone);
  const move = useRescheduleBooking(() => {
    notifySuccess(`Moved: ${booking.resource.name}, ${when}.`);
    onClose();
  });
  const preview = useReschedulePreview({ id: booking.id, startsAt, endsAt });
  // After a refusal it is looked at again, and then says itself what stands in the way.
  const verdict = move.isError && preview.isFetching ? undefined : preview.data;
  return (
    <>
      <Text size="sm">
        To <b>{when}</b>
      </Text>
      <QueryBoundary query={{ ...preview, data: verdict } as typeof preview} height={120}>
        {(verdict) =>
          verdict?.allowed ? (
            <>
              <FormError error={move.error} />
              <PriceBreakdown preview={verdict} timeZone={timeZone} />
            </>
          ) : (
            verdict && (
              <BookingUnavailable
                preview={{
                  ...verdict,
                  alternatives: verdict.alternatives.filter((slot) => !isSameSlot(slot, booking)),
                }}
                wasJustTaken={move.isError}
                timeZone={timeZone}
                onChoose={onChoose}
                onSeeBookings={onClose}
              />
            )
          )
        }
      </QueryBoundary>
      {verdict?.allowed ? (
        <DialogActions
          label="Move booking"
          cancelLabel="Another time"
          pending={move.isPending}
          onCancel={onOther}
          onConfirm={() =>
            move.mutate({ id: booking.id, startsAt, endsAt, scope: 'THIS', override: false })
          }
        />
      ) : (
        <Button variant="default" onClick={onOther}>
          Look for another time
        </Button>
      )}
    </>
  );
}

import { Box, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { MoveTargetField } from '../../admin/bookings/BookingFields.tsx';
import type { Slot } from '../../admin/bookings/booking-form-values.ts';
import { isSameSlot } from '../../admin/bookings/booking-labels.ts';
import { useReschedulePreview } from '../../admin/bookings/booking-preview.ts';
import { useRescheduleBooking } from '../../admin/bookings/mutations.ts';
import { DayField } from '../../components/DayField.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import {
  addMinutes,
  countMinutesBetween,
  parseWallClock,
  toLocalTime,
} from '../../components/wall-clock.ts';
import { getMemberText, renderMemberText } from '../../language/member-texts.ts';
import {
  formatLocalDateTimeRange,
  formatLongDate,
  formatTimeZone,
} from '../../language/page-dates.ts';
import { BookingUnavailable } from '../book/BookingUnavailable.tsx';
import { toRescheduleLabel } from '../book/order-labels.ts';
import { PriceBreakdown } from '../book/PriceBreakdown.tsx';
import { useFreeTimes } from '../book/queries.ts';
import { TimeButtons } from '../book/TimeButtons.tsx';
import type { MyBooking } from './queries.ts';

/** Moves a booking to another time of the same length, to another resource, or both. */
export function RescheduleBooking({
  booking,
  onClose,
}: {
  booking: MyBooking;
  onClose: () => void;
}) {
  const { location, startsAt, endsAt, seriesId } = booking;
  const { timeZone } = location;
  const [today] = useState(() => toLocalDate(new Date(), timeZone));
  const [day, setDay] = useState(() => toLocalDate(startsAt, timeZone));
  const [resource, setResource] = useState<Target['resource']>(booking.resource);
  const [start, setStart] = useState('');
  const [target, setTarget] = useState<Slot | null>(null);
  const chooseDay = (day: string) => {
    setDay(day);
    setStart('');
    setTarget(null);
  };
  const chooseSlot = (slot: Slot) => {
    setDay(toLocalDate(slot.startsAt, timeZone));
    setStart(toLocalTime(slot.startsAt, timeZone));
    setTarget(slot);
  };
  const enterStart = (start: string) => {
    const newStart = parseWallClock(day, start, timeZone);
    const minutes = countMinutesBetween(startsAt, endsAt);
    setStart(start);
    setTarget(newStart ? { startsAt: newStart, endsAt: addMinutes(newStart, minutes) } : null);
  };
  const chooseResource = (resource: Target['resource']) => {
    setResource(resource);
    // Most often only the resource changes.
    if (target === null) chooseSlot({ startsAt, endsAt });
  };
  const isSameResource = resource.id === booking.resource.id;
  const isUnchanged = target !== null && isSameResource && isSameSlot(target, booking);
  return (
    <Stack gap="sm">
      <Text size="sm">
        {renderMemberText(
          seriesId === null ? 'move.current' : 'move.currentOfSeries',
          { b: (content) => <b>{content}</b> },
          {
            resource: booking.resource.name,
            when: formatLocalDateTimeRange(startsAt, endsAt, timeZone),
            zone: formatTimeZone(timeZone),
          },
        )}
      </Text>
      <MoveTargetField booking={booking} value={resource.id} onChange={chooseResource} />
      <DayField today={today} day={day} onChange={chooseDay} />
      <TextInput
        type="time"
        label={getMemberText('move.start')}
        description={isSameResource ? getMemberText('move.startHelp') : undefined}
        value={start}
        error={getStartError(start, target, isUnchanged)}
        onChange={({ currentTarget: { value } }) => enterStart(value)}
      />
      {target === null || isUnchanged ? (
        <RescheduleSlots booking={booking} resource={resource} day={day} onChoose={chooseSlot} />
      ) : (
        <ConfirmReschedule
          key={`${resource.id} ${target.startsAt}`}
          booking={booking}
          target={{ ...target, resource }}
          onChoose={chooseSlot}
          onOther={() => chooseDay(day)}
          onClose={onClose}
        />
      )}
    </Stack>
  );
}

/** What the booking moves to. */
interface Target extends Slot {
  resource: { id: string; name: string };
}

function getStartError(start: string, target: Slot | null, isUnchanged: boolean): string | null {
  if (start !== '' && target === null) return getMemberText('move.skippedTime');
  return isUnchanged ? getMemberText('move.sameTime') : null;
}

interface RescheduleSlotsProps {
  booking: MyBooking;
  resource: Target['resource'];
  day: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
}

function RescheduleSlots({ booking, resource, day, onChoose }: RescheduleSlotsProps) {
  const { startsAt, endsAt } = booking;
  const { timeZone } = booking.location;
  const minutes = countMinutesBetween(startsAt, endsAt);
  const times = useFreeTimes({ resourceId: resource.id, minutes, day, timeZone });
  return (
    <QueryBoundary query={times} height={120}>
      {([availability]) => {
        const slots = availability?.slots ?? [];
        if (slots.length === 0) {
          return (
            <Text size="sm" role="status">
              {getMemberText('move.noTimes', {
                resource: resource.name,
                day: formatLongDate(day),
              })}
            </Text>
          );
        }
        return (
          <Box aria-busy={times.isPlaceholderData} opacity={times.isPlaceholderData ? 0.6 : 1}>
            <Text size="sm">{getMemberText('move.orChoose')}</Text>
            <TimeButtons
              label={getMemberText('book.timesOf', { resource: resource.name })}
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
  target: Target;
  onChoose: (slot: Slot) => void;
  onOther: () => void;
  onClose: () => void;
}

/** Shows the new price, or why the time cannot be booked, before the member confirms. */
function ConfirmReschedule({
  booking,
  target,
  onChoose,
  onOther,
  onClose,
}: ConfirmRescheduleProps) {
  const { timeZone } = booking.location;
  const { resource, startsAt, endsAt } = target;
  const isSameResource = resource.id === booking.resource.id;
  const move = {
    id: booking.id,
    ...(!isSameResource && { resourceId: resource.id }),
    startsAt,
    endsAt,
  };
  const when = formatLocalDateTimeRange(startsAt, endsAt, timeZone);
  const reschedule = useRescheduleBooking(() => {
    notifySuccess(getMemberText('move.done', { resource: resource.name, when }));
    onClose();
  });
  const preview = useReschedulePreview(move);
  // After a rejected change, the refetched preview explains why.
  const evaluation = reschedule.isError && preview.isFetching ? undefined : preview.data;
  return (
    <>
      <Text size="sm">
        {renderMemberText(
          isSameResource ? 'move.newTime' : 'move.newResource',
          { b: (content) => <b>{content}</b> },
          { resource: resource.name, when },
        )}
      </Text>
      <QueryBoundary query={{ ...preview, data: evaluation } as typeof preview} height={120}>
        {(evaluation) =>
          evaluation?.allowed ? (
            <>
              <FormError error={reschedule.error} />
              <PriceBreakdown preview={evaluation} timeZone={timeZone} />
            </>
          ) : (
            evaluation && (
              <BookingUnavailable
                preview={{
                  ...evaluation,
                  alternatives: evaluation.alternatives.filter(
                    (slot) => !isSameResource || !isSameSlot(slot, booking),
                  ),
                }}
                wasJustTaken={reschedule.isError}
                timeZone={timeZone}
                onChoose={onChoose}
                onSeeBookings={onClose}
              />
            )
          )
        }
      </QueryBoundary>
      {evaluation?.allowed ? (
        <DialogActions
          label={toRescheduleLabel(evaluation, booking)}
          cancelLabel={getMemberText('move.otherTime')}
          pending={reschedule.isPending}
          onCancel={onOther}
          onConfirm={() => reschedule.mutate({ ...move, scope: 'THIS', override: false })}
        />
      ) : (
        <Button variant="default" onClick={onOther}>
          {getMemberText('move.chooseOther')}
        </Button>
      )}
    </>
  );
}

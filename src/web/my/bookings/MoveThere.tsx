import { Button, Text } from '@mantine/core';
import { isWhereItIs } from '../../features/bookings/booking-words.ts';
import { useMoveBooking } from '../../features/bookings/changes.ts';
import { type Slot, useMovePreview } from '../../features/bookings/preview-queries.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { Arithmetic } from '../book/Arithmetic.tsx';
import { NotToBeHad } from '../book/NotToBeHad.tsx';
import type { MyBooking } from './queries.ts';

interface Props {
  booking: MyBooking;
  target: Slot;
  onChoose: (slot: Slot) => void;
  onOther: () => void;
  onClose: () => void;
}

/** What it would cost then and whether it can be had, before it is moved. */
export function MoveThere({ booking, target, onChoose, onOther, onClose }: Props) {
  const { timeZone } = booking.location;
  const { startsAt, endsAt } = target;
  const when = exactSpanIn(startsAt, endsAt, timeZone);
  const move = useMoveBooking(() => {
    notifyDone(`Moved: ${booking.resource.name}, ${when}.`);
    onClose();
  });
  const preview = useMovePreview({ id: booking.id, startsAt, endsAt });
  // After a refusal it is looked at again, and then says itself what stands in the way.
  const verdict = move.isError && preview.isFetching ? undefined : preview.data;
  return (
    <>
      <Text size="sm">
        To <b>{when}</b>
      </Text>
      <Loaded query={{ ...preview, data: verdict } as typeof preview} height={120}>
        {(verdict) =>
          verdict?.allowed ? (
            <>
              <FormFailure error={move.error} />
              <Arithmetic verdict={verdict} timeZone={timeZone} />
            </>
          ) : (
            verdict && (
              <NotToBeHad
                verdict={{
                  ...verdict,
                  alternatives: verdict.alternatives.filter((slot) => !isWhereItIs(slot, booking)),
                }}
                wasFaster={move.isError}
                timeZone={timeZone}
                onChoose={onChoose}
                onSeeBookings={onClose}
              />
            )
          )
        }
      </Loaded>
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

import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useBookingPreview } from '../../admin/bookings/booking-preview.ts';
import { useBookAnyResource, useCreateBooking } from '../../admin/bookings/mutations.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { formatExactDateTimeRange } from '../../components/wall-clock.ts';
import { BookingUnavailable } from './BookingUnavailable.tsx';
import { PriceBreakdown } from './PriceBreakdown.tsx';
import type { TimeSlot } from './TimeButtons.tsx';

export interface SelectedSlot extends TimeSlot {
  resource: ResourceDetails;
  /** Whether any resource of the type will do. Then `resource` is the one that the service would book first. */
  isAny?: true;
  /** With `isAny`: only those in this area. */
  area?: string | null;
}

interface Props {
  slot: SelectedSlot;
  location: LocationChoice;
  /** Whether displays of the location show the titles of bookings by members. */
  showsTitles: boolean;
  onClose: () => void;
}

const ANY_LABELS = { ROOM: 'Any free room', DESK: 'Any free desk', EQUIPMENT: 'Any that is free' };

const TITLE_SHOWN =
  'Shown in your bookings and your calendar, and with your name on displays in the building';
const TITLE_HIDDEN = 'Shown in your bookings and your calendar, but not on displays';

/** Shows the price, or why the slot cannot be booked, before the member confirms. */
export function ConfirmBooking({ slot, location, showsTitles, onClose }: Props) {
  const { resource } = slot;
  const { timeZone } = location;
  const navigate = useNavigate();
  const [{ startsAt, endsAt }, setTimes] = useState<TimeSlot>(slot);
  const [title, setTitle] = useState('');
  const input = { resourceId: resource.id, startsAt, endsAt };
  const preview = useBookingPreview(input);
  const when = formatExactDateTimeRange(startsAt, endsAt, timeZone);
  const finish = (name: string, isPending: boolean) => {
    notifySuccess(
      isPending
        ? `Requested: ${name}, ${when}. Staff will confirm it.`
        : `Booked: ${name}, ${when}.`,
    );
    navigate('/');
  };
  const bookOne = useCreateBooking(() => finish(resource.name, preview.data?.status === 'PENDING'));
  const bookAny = useBookAnyResource(({ resource, status }) =>
    finish(resource.name, status === 'PENDING'),
  );
  const book = slot.isAny ? bookAny : bookOne;
  const chooseTimes = (times: TimeSlot) => {
    book.reset();
    setTimes(times);
  };
  // After a rejected booking, the refetched preview explains why.
  const isSettled = !preview.isPlaceholderData && !(book.isError && preview.isFetching);
  const evaluation = preview.data && isSettled ? preview.data : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = { startsAt, endsAt, title: title.trim() || null };
        if (!slot.isAny) return bookOne.mutate({ booking: { ...input, ...wanted } });
        bookAny.mutate({
          ...wanted,
          locationId: location.id,
          type: resource.type,
          area: slot.area ?? null,
          maxPrice: evaluation?.price ?? null,
        });
      }}
    >
      <Stack gap="sm">
        <DescriptionList
          items={[
            ['What', slot.isAny ? ANY_LABELS[resource.type] : resource.name],
            ['When', `${when} (${formatTimeZone(timeZone)})`],
            ['Where', location.name],
          ]}
        />
        <QueryBoundary query={{ ...preview, data: evaluation } as typeof preview} height={120}>
          {(evaluation) =>
            evaluation?.allowed ? (
              <>
                <FormError error={book.error} />
                <PriceBreakdown preview={evaluation} timeZone={timeZone} />
                <TextInput
                  label="Title (optional)"
                  description={showsTitles ? TITLE_SHOWN : TITLE_HIDDEN}
                  {...toLimitProps('CreateBookingInput', 'title')}
                  value={title}
                  onChange={({ currentTarget: { value } }) => setTitle(value)}
                />
              </>
            ) : (
              evaluation && (
                <BookingUnavailable
                  preview={evaluation}
                  wasJustTaken={book.isError}
                  timeZone={timeZone}
                  onChoose={chooseTimes}
                />
              )
            )
          }
        </QueryBoundary>
      </Stack>
      {evaluation?.allowed ? (
        <DialogActions
          label={evaluation.status === 'PENDING' ? 'Request booking' : 'Confirm booking'}
          cancelLabel="Back"
          onCancel={onClose}
          pending={book.isPending}
        />
      ) : null}
    </form>
  );
}

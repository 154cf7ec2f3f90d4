import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatLocalDateTimeRange, formatTimeZone } from '../../../core/time/format.ts';
import { useBookingPreview } from '../../admin/bookings/booking-preview.ts';
import { useCreateBooking } from '../../admin/bookings/mutations.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { BookingUnavailable } from './BookingUnavailable.tsx';
import { PriceBreakdown } from './PriceBreakdown.tsx';
import type { TimeSlot } from './TimeButtons.tsx';

export interface SelectedSlot extends TimeSlot {
  resource: ResourceDetails;
}

interface Props {
  slot: SelectedSlot;
  location: LocationChoice;
  /** Whether displays of the location show the titles of bookings by members. */
  showsTitles: boolean;
  onClose: () => void;
}

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
  const when = formatLocalDateTimeRange(startsAt, endsAt, timeZone);
  const book = useCreateBooking(() => {
    notifySuccess(
      preview.data?.status === 'PENDING'
        ? `Requested: ${resource.name}, ${when}. Staff will confirm it.`
        : `Booked: ${resource.name}, ${when}.`,
    );
    navigate('/');
  });
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
        book.mutate({ booking: { ...input, title: title.trim() || null } });
      }}
    >
      <Stack gap="sm">
        <DescriptionList
          items={[
            ['What', resource.name],
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

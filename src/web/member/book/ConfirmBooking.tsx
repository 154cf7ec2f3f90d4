import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateBooking } from '../../admin/bookings/mutations.ts';
import { useBookingPreview } from '../../admin/bookings/preview-queries.ts';
import type { LocationChoice, ResourceDetails } from '../../admin/spaces/queries.ts';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatExactDateTimeRange } from '../../components/format-ambiguous-time.ts';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { BookingUnavailable } from './BookingUnavailable.tsx';
import { PriceBreakdown } from './PriceBreakdown.tsx';

export interface SelectedSlot {
  resource: ResourceDetails;
  startsAt: string;
  endsAt: string;
}

interface Props {
  choice: SelectedSlot;
  location: LocationChoice;
  onClose: () => void;
}

/** What it costs and whether it can be had, before it is booked. */
export function ConfirmBooking({ choice, location, onClose }: Props) {
  const { resource } = choice;
  const { timeZone } = location;
  const navigate = useNavigate();
  const [{ startsAt, endsAt }, setSlot] = useState(choice);
  const [title, setTitle] = useState('');
  const input = { resourceId: resource.id, startsAt, endsAt };
  const preview = useBookingPreview(input);
  const when = formatExactDateTimeRange(startsAt, endsAt, timeZone);
  const book = useCreateBooking(() => {
    notifySuccess(
      preview.data?.status === 'PENDING'
        ? `Asked for: ${resource.name}, ${when}. Staff confirms it.`
        : `Booked: ${resource.name}, ${when}.`,
    );
    navigate('/');
  });
  const choose = (slot: { startsAt: string; endsAt: string }) => {
    book.reset();
    setSlot({ ...choice, ...slot });
  };
  // After a refusal it is looked at again, and then says itself what stands in the way.
  const isSettled = !preview.isPlaceholderData && !(book.isError && preview.isFetching);
  const verdict = preview.data && isSettled ? preview.data : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        book.mutate({ one: { ...input, title: title.trim() || null } });
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
        <QueryBoundary query={{ ...preview, data: verdict } as typeof preview} height={120}>
          {(verdict) =>
            verdict?.allowed ? (
              <>
                <FormError error={book.error} />
                <PriceBreakdown preview={verdict} timeZone={timeZone} />
                <TextInput
                  label="What for? (optional)"
                  description="Stands in your list and in your calendar"
                  maxLength={200}
                  value={title}
                  onChange={({ currentTarget: { value } }) => setTitle(value)}
                />
              </>
            ) : (
              verdict && (
                <BookingUnavailable
                  preview={verdict}
                  wasJustTaken={book.isError}
                  timeZone={timeZone}
                  onChoose={choose}
                />
              )
            )
          }
        </QueryBoundary>
      </Stack>
      {verdict?.allowed ? (
        <DialogActions
          label={verdict.status === 'PENDING' ? 'Ask for it' : 'Book it'}
          cancelLabel="Back"
          onCancel={onClose}
          pending={book.isPending}
        />
      ) : null}
    </form>
  );
}

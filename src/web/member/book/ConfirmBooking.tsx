import { Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { SeriesPreviewCard } from '../../admin/bookings/BookingPreview.tsx';
import {
  PREVIEW_DEBOUNCE_MS,
  useBookingPreview,
  useSeriesPreview,
} from '../../admin/bookings/booking-preview.ts';
import {
  DEFAULT_REPEAT,
  findCountProblem,
  toRepeatRule,
} from '../../admin/bookings/booking-repeat.ts';
import { useBookAnyResource, useCreateBooking } from '../../admin/bookings/mutations.ts';
import { RepeatFields } from '../../admin/bookings/RepeatFields.tsx';
import { toSeriesDecision } from '../../admin/bookings/series-decision.ts';
import type { LocationChoice } from '../../admin/spaces/location-queries.ts';
import type { ResourceDetails } from '../../admin/spaces/resource-queries.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { DescriptionList } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { CreateBookingSeriesInput } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatLocalDateTimeRange, formatTimeZone } from '../../language/page-dates.ts';
import { BookingUnavailable } from './BookingUnavailable.tsx';
import { toBookLabel } from './order-labels.ts';
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
  const day = toLocalDate(startsAt, timeZone);
  const [repeat, setRepeat] = useState(DEFAULT_REPEAT);
  const countError = findCountProblem(repeat);
  const rule = countError === null ? toRepeatRule(repeat, day) : null;
  const isSeries = repeat.repeat !== 'NONE';
  const series = useDebouncedSeries(rule === null ? null : { ...input, rule });
  const finish = (what: string, isPending: boolean) => {
    const key = isPending ? 'confirm.requested' : 'confirm.booked';
    notifySuccess(getMemberText(key, { booking: what }));
    navigate('/');
  };
  const bookOne = useCreateBooking(({ count }) =>
    finish(
      `${resource.name}, ${count === 1 ? when : getMemberText('confirm.times', { count })}`,
      preview.data?.status === 'PENDING',
    ),
  );
  const bookAny = useBookAnyResource(({ resource, status }) =>
    finish(`${resource.name}, ${when}`, status === 'PENDING'),
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
        if (slot.isAny)
          return bookAny.mutate({
            ...wanted,
            locationId: location.id,
            type: resource.type,
            area: slot.area ?? null,
            maxPrice: evaluation?.price ?? null,
          });
        const booking = { ...input, ...wanted };
        if (!isSeries) bookOne.mutate({ booking });
        else if (rule !== null)
          bookOne.mutate({ series: { ...booking, rule, onConflict: 'SKIP' } });
      }}
    >
      <Stack gap="sm">
        <DescriptionList
          items={[
            [
              getMemberText('confirm.what'),
              slot.isAny ? getMemberText(`confirm.any.${resource.type}`) : resource.name,
            ],
            [getMemberText('confirm.when'), `${when} (${formatTimeZone(timeZone)})`],
            [getMemberText('confirm.where'), location.name],
          ]}
        />
        <QueryBoundary query={{ ...preview, data: evaluation } as typeof preview} height={120}>
          {(evaluation) =>
            evaluation?.allowed ? (
              <>
                <FormError error={book.error} />
                {!isSeries && <PriceBreakdown preview={evaluation} timeZone={timeZone} />}
                {!slot.isAny && (
                  <RepeatFields
                    value={repeat}
                    day={day}
                    countError={countError}
                    onChange={(change) => setRepeat({ ...repeat, ...change })}
                  />
                )}
                <FormError error={series.error} />
                {isSeries && series.preview && (
                  <SeriesPreviewCard
                    preview={series.preview}
                    isCurrent={series.isCurrent}
                    timeZone={timeZone}
                  />
                )}
                <TextInput
                  label={getMemberText('confirm.bookingTitle')}
                  description={getMemberText(
                    showsTitles ? 'confirm.titleShown' : 'confirm.titleHidden',
                  )}
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
          label={isSeries ? series.label : toBookLabel(evaluation)}
          disabled={isSeries && !series.canBook}
          cancelLabel={getMemberText('confirm.back')}
          onCancel={onClose}
          pending={book.isPending}
        />
      ) : null}
    </form>
  );
}

/** Previews a series, debounced. Null while a field is missing. */
function useDebouncedSeries(input: CreateBookingSeriesInput | null) {
  const current = JSON.stringify(input);
  const [requested] = useDebouncedValue(current, PREVIEW_DEBOUNCE_MS);
  const { data, error, isFetching } = useSeriesPreview(JSON.parse(requested));
  const preview = (input && data) || null;
  const isCurrent = requested === current && !isFetching;
  return {
    preview,
    error: input && error,
    isCurrent,
    label: toSeriesDecision(preview).label,
    canBook: isCurrent && (preview?.occurrences.length ?? 0) > 0,
  };
}

import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateBooking } from '../../features/bookings/create-booking.ts';
import { usePreview } from '../../features/bookings/preview-queries.ts';
import type { Location } from '../../features/spaces/queries.ts';
import type { ResourceDetails } from '../../features/spaces/resource-queries.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { zoneWords } from '../../ui/place-words.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { Arithmetic } from './Arithmetic.tsx';
import { NotToBeHad } from './NotToBeHad.tsx';

export interface Choice {
  resource: ResourceDetails;
  startsAt: string;
  endsAt: string;
}

interface Props {
  choice: Choice;
  location: Location;
  onClose: () => void;
}

/** What it costs and whether it can be had, before it is booked. */
export function BookThis({ choice, location, onClose }: Props) {
  const { resource } = choice;
  const { timeZone } = location;
  const navigate = useNavigate();
  const [{ startsAt, endsAt }, setSlot] = useState(choice);
  const [title, setTitle] = useState('');
  const input = { resourceId: resource.id, startsAt, endsAt };
  const preview = usePreview(input);
  const when = exactSpanIn(startsAt, endsAt, timeZone);
  const book = useCreateBooking(() => {
    notifyDone(
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
        <Facts
          of={[
            ['What', resource.name],
            ['When', `${when} (${zoneWords(timeZone)})`],
            ['Where', location.name],
          ]}
        />
        <Loaded query={{ ...preview, data: verdict } as typeof preview} height={120}>
          {(verdict) =>
            verdict?.allowed ? (
              <>
                <FormFailure error={book.error} />
                <Arithmetic verdict={verdict} timeZone={timeZone} />
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
                <NotToBeHad
                  verdict={verdict}
                  wasFaster={book.isError}
                  timeZone={timeZone}
                  onChoose={choose}
                />
              )
            )
          }
        </Loaded>
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

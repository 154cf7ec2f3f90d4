import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import type { DialogState } from '../../ui/use-dialog.ts';
import { BookingFacts } from './BookingFacts.tsx';
import { CancelBooking } from './CancelBooking.tsx';
import { EditBooking } from './EditBooking.tsx';
import { MoveBooking } from './MoveBooking.tsx';
import { type Booking, useBooking } from './queries.ts';

interface Props {
  state: DialogState<Booking>;
  /** With the day on which the booking now is. */
  onMoved: (day: string) => void;
}

export const BookingDialog = ({ state, onMoved }: Props) => (
  <Dialog state={state} title={state.subject?.resource.name ?? 'Booking'} size="lg">
    {({ id }) => <OneBooking key={id} id={id} onMoved={onMoved} onClose={state.close} />}
  </Dialog>
);

export type Step = 'facts' | 'cancel' | 'move' | 'edit';

interface OneProps {
  id: string;
  onMoved: (day: string) => void;
  onClose: () => void;
}

function OneBooking({ id, onMoved, onClose }: OneProps) {
  const [step, setStep] = useState<Step>('facts');
  const booking = useBooking(id);
  const back = () => setStep('facts');
  return (
    <Loaded query={booking}>
      {(booking) => {
        if (step === 'cancel')
          return <CancelBooking booking={booking} onBack={back} onDone={onClose} />;
        if (step === 'edit') return <EditBooking booking={booking} onDone={back} />;
        if (step === 'move') {
          const moved = (day: string) => {
            onMoved(day);
            onClose();
          };
          return <MoveBooking booking={booking} onBack={back} onDone={moved} />;
        }
        return <BookingFacts booking={booking} onStep={setStep} />;
      }}
    </Loaded>
  );
}

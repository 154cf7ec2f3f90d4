import { Alert } from '@mantine/core';
import { useMe } from './me.ts';

/** Says why booking is refused before it is tried. */
export function Paused() {
  const me = useMe();
  if (me.data?.status !== 'PAUSED') return null;
  return (
    <Alert color="orange" role="note" title="Your membership is paused" mb="md">
      Until it goes on, nothing new can be booked and nothing moved. What you have booked stays, and
      you can cancel it. Ask at the front desk to go on.
    </Alert>
  );
}

interface CancellableBooking {
  startsAt: string;
  resource: { freeCancellationHours: number };
}

/** Returns the last instant at which cancelling is free. The service calculates the same. */
export const toFreeCancellationDeadline = ({ startsAt, resource }: CancellableBooking) =>
  new Date(new Date(startsAt).getTime() - resource.freeCancellationHours * 3_600_000);

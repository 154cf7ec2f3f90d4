import type { Money } from '../../../values.ts';
import type { ResourceType } from '../../spaces/service.ts';
import type { Calendar } from './opening.ts';
import type { Span } from './span.ts';

/** What stands in a resource's way: a live booking with its buffer, or an event. */
export interface Busy extends Span {
  /** When it ends for those who see it: without the buffer. */
  until: number;
  bookingId: string | null;
  memberId: string | null;
  /** Whose it is, or what. */
  title: string | null;
  holder: string | null;
}

/** All that a policy needs to know of a resource during some span; read by `grounds`. */
export interface Ground {
  resource: {
    id: string;
    name: string;
    type: ResourceType;
    active: boolean;
    pricePerHour: Money;
    minMinutes: number;
    maxMinutes: number;
    slotIntervalMinutes: number;
    bufferMinutes: number;
    minNoticeMinutes: number;
    maxAdvanceDays: number;
    freeCancellationHours: number;
    requiresApproval: boolean;
  };
  location: { id: string; name: string };
  calendar: Calendar;
  /** By start. */
  busy: Busy[];
}

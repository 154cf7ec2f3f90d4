import { can, type Viewer } from '../../../auth/viewer.ts';

export interface Buyer {
  name: string;
  email: string;
}

export interface Attendee {
  name: string;
  email?: string | null | undefined;
}

export interface TicketOrderInput {
  /** Slug or id. */
  event: string;
  buyer: Buyer;
  items: {
    ticketTypeId: string;
    quantity: number;
    /** By name, the first of them; the rest are the buyer's. */
    attendees?: Attendee[] | undefined;
  }[];
  discountCode?: string | undefined;
}

export interface DayPassOrderInput {
  buyer: Buyer;
  dayPassTypeId: string;
  /** YYYY-MM-DD, by the location's calendar. */
  validOn: string;
  /** One pass each; the buyer, if left out. */
  holders?: Attendee[] | undefined;
  discountCode?: string | undefined;
}

/** Whether what is for members is for this viewer: for a member, and for staff who place an order for one. */
export const buysAsMember = (viewer: Viewer) =>
  viewer.kind === 'member' || viewer.kind === 'system' || can(viewer, 'orders:write');

export const personOf = ({ name, email }: Attendee) => ({
  name,
  email: email ? email.toLowerCase() : null,
});

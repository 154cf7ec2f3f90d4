export { applyPayment } from './commands/apply-payment.ts';
export { confirmPendingOrder } from './commands/confirm-order.ts';
export { cancelEventOrders, notifyEventMoved } from './commands/event-changes.ts';
export { purgeSeatUsages } from './limits/seat-usage.ts';
export { findOrderLink, paymentUrl, portalUrl } from './links.ts';
export { placeDayPassOrder } from './place/place-day-pass-order.ts';
export { placeTicketOrder } from './place/place-ticket-order.ts';
export { findOrdersByIds, loadOrder, lockOrder } from './queries.ts';
export { expireOrders, reconcileStock } from './stock.ts';
export {
  offerAvailableTickets,
  offerEventTickets,
  offerReleasedTickets,
} from './waitlist/offer-tickets.ts';

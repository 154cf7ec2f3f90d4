// What other features, jobs and imports use of orders. Each function documents itself where it is defined.
// - payments: applyPayment, confirmPendingOrder, lockOrder, loadOrder and the links
// - events: cancelEventOrders, notifyEventMoved, offerEventTickets, offerReleasedTickets
// - webhooks: findOrdersByIds
// - jobs: cancelEventOrders, expireOrders, offerAvailableTickets, purgeSeatUsages, reconcileStock
// - demo data and tests: placeTicketOrder, placeDayPassOrder
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

// What other features and jobs can import from orders. The APIs of orders import commands and queries directly.
export { applyPayment, type PaymentOutcome } from './commands/apply-payment.ts';
export { confirmPendingOrder } from './commands/confirm-order.ts';
export { cancelEventOrders } from './commands/event-changes.ts';
export { announceEventMoves } from './emails/event-moves.ts';
export { orderEmailSenders } from './emails/order-email-senders.ts';
export { purgeSeatUsages } from './limits/seat-usage.ts';
export { findOrderLink, paymentUrl, portalUrl } from './links.ts';
export {
  dayPassList,
  isAtLocation,
  ticketList,
  visibleDayPasses,
  visibleTickets,
} from './list-admissions.ts';
export { orderList, toOrderVisibleConditions, visibleOrders } from './list-orders.ts';
export { findOrdersByIds, loadOrder, lockOrder } from './queries.ts';
export { expireOrders } from './service/expire-orders.ts';
export { reconcileStock } from './service/reconcile-stock.ts';
export { renderTicketFiles } from './tickets-pdf/find-tickets.ts';
export {
  offerAvailableTickets,
  offerEventTickets,
  offerReleasedTickets,
} from './waitlist/offer-tickets.ts';

/** Warns after an erasure: the bank can still ask about the payments of these orders. */
export const formatDisputedOrders = (orders: string[]): string =>
  orders.length === 1
    ? `The payment of order ${orders[0]} is disputed. The erased names are no longer available to answer the bank.`
    : `The payments of orders ${orders.join(', ')} are disputed. The erased names are no longer available to answer the bank.`;

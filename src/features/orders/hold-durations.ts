/** How long an order holds its stock until the buyer pays online, and at least if the buyer pays at the front desk. */
export const MIN_HOLD_MINUTES = 15;
/** How long an order holds its stock until the buyer opens the link in the email. */
export const CONFIRMATION_HOLD_MINUTES = 30;

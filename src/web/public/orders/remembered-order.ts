const KEY = 'foyer-order';

/**
 * Remembers the order that is open in this tab, until the tab is closed. The payment provider returns the buyer to a URL
 * without the secret of the order.
 */
export function rememberOrder(secret: string): void {
  try {
    sessionStorage.setItem(KEY, secret);
  } catch {
    // Browsers that store nothing show where the link is.
  }
}

/** Finds the secret of the order that was open in this tab. Null if there is none. */
export function findRememberedOrder(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

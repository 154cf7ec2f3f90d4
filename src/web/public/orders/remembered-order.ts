const KEY = 'foyer-order';

type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Throws in browsers that store nothing. */
const getTabStorage = (): TabStorage => sessionStorage;

interface RememberedOrder {
  id: string;
  secret: string;
}

/**
 * Remembers the order that is open in this tab, until the tab is closed. The payment provider returns the buyer to a URL
 * without the secret of the order.
 */
export function rememberOrder({ id, secret }: RememberedOrder, getStorage = getTabStorage): void {
  try {
    getStorage().setItem(KEY, JSON.stringify({ id, secret }));
  } catch {
    // Browsers that store nothing show where the link is.
  }
}

/** Finds the secret of this order. Null if another order, or none, was open in this tab. */
export function findRememberedSecret(orderId: string, getStorage = getTabStorage): string | null {
  try {
    const remembered: RememberedOrder | null = JSON.parse(getStorage().getItem(KEY) ?? 'null');
    return remembered?.id === orderId ? remembered.secret : null;
  } catch {
    return null;
  }
}

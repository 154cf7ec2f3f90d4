import type { Viewer } from '../../auth/viewer.ts';

/** Who asks at the door of a location, as throttles and budgets count them. */
export interface Asking {
  locationId: string;
  /** Where the caller is; of a kiosk, its own name, wherever it is. */
  address: string;
  /** It has a share of its own, and takes nothing from those who ask from anywhere. */
  isKiosk: boolean;
}

/** How the names of kiosks begin where addresses stand: no address has a blank in it. */
export const KIOSK = 'kiosk ';

export function askingAt(viewer: Viewer, address: string, locationId: string): Asking {
  const kiosk = kioskAt(viewer, locationId);
  return { locationId, address: kiosk === null ? address : KIOSK + kiosk, isKiosk: kiosk !== null };
}

/** As attempts are recorded: the kind of who made it, and the id where there is one. */
export function actorOf(viewer: Viewer, locationId: string): string {
  if (viewer.kind === 'device') {
    const kiosk = kioskAt(viewer, locationId);
    return kiosk === null ? 'anonymous' : `kiosk:${kiosk}`;
  }
  return 'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;
}

/** The paired kiosk of this very location that asks, if one does. All other devices are strangers here. */
function kioskAt(viewer: Viewer, locationId: string): string | null {
  const isOne = viewer.kind === 'device' && viewer.display === 'kiosk';
  return isOne && viewer.locationId === locationId.toLowerCase() ? viewer.id : null;
}

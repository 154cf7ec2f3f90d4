import { useEffect } from 'react';
import { serviceUrl } from '../api/urls.ts';
import type { ShowingProps } from './Showing.tsx';

/** A kiosk has a page of its own. It is loaded anew, so that the browser keeps it for when the network is away. */
export function ToKiosk({ kept }: ShowingProps) {
  const { id } = kept.state.device.location;
  useEffect(() => window.location.replace(serviceUrl(`kiosk/${id}`)), [id]);
  return null;
}

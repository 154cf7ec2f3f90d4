import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../errors.ts';

/** What the page of a kiosk may know of its location: anybody may open it. */
export interface Kiosk {
  locationId: string;
  name: string;
  timeZone: string;
  /** Whether members are found by their names. */
  lookupNames: boolean;
  /** Only at kiosks that are paired. */
  lookupNeedsKiosk: boolean;
}

const KIOSK_SELECT = {
  id: true,
  name: true,
  timeZone: true,
  lookupNames: true,
  lookupNeedsKiosk: true,
} as const;

/** By the location's slug or id. Throws NOT_FOUND. */
export async function getKiosk({ db }: Context, slugOrId: string): Promise<Kiosk> {
  const where = isUuid(slugOrId) ? { id: slugOrId } : { slug: slugOrId };
  const row = await db.location.findUnique({ where, select: KIOSK_SELECT });
  if (row === null) throw notFound('location');
  return toKiosk(row);
}

/** By name, to choose one. */
export async function listKiosks({ db }: Context): Promise<Kiosk[]> {
  const rows = await db.location.findMany({
    select: KIOSK_SELECT,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(toKiosk);
}

const toKiosk = ({ id, ...kiosk }: { id: string } & Omit<Kiosk, 'locationId'>): Kiosk => ({
  locationId: id,
  ...kiosk,
});

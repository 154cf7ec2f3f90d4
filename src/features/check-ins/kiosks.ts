import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';

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

const SHOWN = {
  id: true,
  name: true,
  timeZone: true,
  lookupNames: true,
  lookupNeedsKiosk: true,
} as const;

/** By the location's slug or id. Throws NOT_FOUND. */
export async function kiosk({ db }: Ctx, slugOrId: string): Promise<Kiosk> {
  const where = isUuid(slugOrId) ? { id: slugOrId } : { slug: slugOrId };
  const row = await db.location.findUnique({ where, select: SHOWN });
  if (row === null) throw notFound('location');
  return kioskOf(row);
}

/** By name, to choose one. */
export async function kiosks({ db }: Ctx): Promise<Kiosk[]> {
  const rows = await db.location.findMany({
    select: SHOWN,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return rows.map(kioskOf);
}

const kioskOf = ({ id, ...kiosk }: { id: string } & Omit<Kiosk, 'locationId'>): Kiosk => ({
  locationId: id,
  ...kiosk,
});

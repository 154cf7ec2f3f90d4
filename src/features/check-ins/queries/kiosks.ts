import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { notFound } from '../../../errors.ts';

/** The public settings of a location's kiosk page. */
export interface Kiosk {
  locationId: string;
  name: string;
  timeZone: string;
  /** Whether lookups find members by name. */
  lookupNames: boolean;
  /** Whether lookups by name work only at paired kiosks. */
  lookupNeedsKiosk: boolean;
}

const KIOSK_SELECT = {
  id: true,
  name: true,
  timeZone: true,
  lookupNames: true,
  lookupNeedsKiosk: true,
} as const;

/** Gets a kiosk by the slug or id of its location. @throws NOT_FOUND. */
export async function getKiosk({ db }: Context, slugOrId: string): Promise<Kiosk> {
  const where = isUuid(slugOrId) ? { id: slugOrId } : { slug: slugOrId };
  const row = await db.location.findUnique({ where, select: KIOSK_SELECT });
  if (row === null) throw notFound('location');
  return toKiosk(row);
}

/** Lists the kiosks of all locations, by name. */
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

import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Location, LookupAccess } from '../../../db/generated/client.ts';
import { notFound } from '../../../errors.ts';
import { toLookupAccess } from '../../spaces/rows.ts';

/** The public settings of a location's kiosk page. */
export interface Kiosk {
  locationId: string;
  name: string;
  timeZone: string;
  /** Whether lookups find members by name. */
  lookupNames: boolean;
  /** Who may look members up and check them in by handle. */
  lookupAccess: LookupAccess;
}

const KIOSK_SELECT = {
  id: true,
  name: true,
  timeZone: true,
  lookupNames: true,
  lookupAccess: true,
} as const;

/** Gets a kiosk by the slug or id of its location. @throws NOT_FOUND. */
export async function getKiosk({ db }: Context, slugOrId: string): Promise<Kiosk> {
  const where = isUuid(slugOrId) ? { id: slugOrId } : { slug: slugOrId };
  const row = await db.location.findUnique({ where, select: KIOSK_SELECT });
  if (row === null) throw notFound('location', slugOrId);
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

type KioskRow = Pick<Location, keyof typeof KIOSK_SELECT>;

const toKiosk = ({ id, ...kiosk }: KioskRow): Kiosk => ({
  locationId: id,
  ...kiosk,
  lookupAccess: toLookupAccess(kiosk),
});

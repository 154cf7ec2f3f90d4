import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { LookupAccess } from '../../../db/generated/client.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { toLookupAccess } from '../../spaces/rows.ts';

/** The settings of a location for lookups. */
export interface LookupSettings {
  /** Whether lookups find members by name. */
  lookupNames: boolean;
  /** Who may look members up and check them in by handle. */
  lookupAccess: LookupAccess;
}

/** Gets the settings of a location. @throws NOT_FOUND. */
export async function getLookupSettings({ db }: Context, id: string): Promise<LookupSettings> {
  const select = { lookupNames: true, lookupAccess: true };
  const location = isUuid(id) ? await db.location.findUnique({ where: { id }, select }) : null;
  if (location === null) throw notFound('location', id);
  return { ...location, lookupAccess: toLookupAccess(location) };
}

/**
 * Checks that unpaired clients can look members up at the location and check them in by handle.
 * @throws NOT_FOUND for the location; VALIDATION, reason KIOSK_NEEDED.
 */
export async function assertLookupsPublic(
  ctx: Context,
  locationId: string,
): Promise<LookupSettings> {
  const settings = await getLookupSettings(ctx, locationId);
  if (settings.lookupAccess === 'public') return settings;
  throw new DomainError(
    'VALIDATION',
    'At this location, only paired kiosks and staff can find people by name or email address. Use the code of the person, pair this kiosk, or ask at the front desk.',
    { reason: 'KIOSK_NEEDED' },
  );
}

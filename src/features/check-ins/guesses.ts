import type { RateLimit, RateLimits } from '../../auth/rate-limits.ts';
import { can, type Viewer } from '../../auth/viewer.ts';
import { Overtaken } from '../../errors.ts';
import type { Asking } from './asking.ts';
import type { CheckIn } from './check-in.ts';

/** All but staff and programs at the door, whatever token or session they have. */
export const mayGuess = (viewer: Viewer) => !can(viewer, 'check-ins:write');

/** Which limit counts who checks in: paired kiosks have one of their own. */
export const checkInLimit = (limits: RateLimits, { isKiosk }: Asking): RateLimit =>
  isKiosk ? limits.kioskCheckIns : limits.checkIns;

/** Does the work that the limit has let pass, and reports whether it was a miss. */
export async function counted(
  limits: RateLimits,
  asking: Asking,
  work: () => Promise<CheckIn>,
): Promise<CheckIn> {
  const limit = checkInLimit(limits, asking);
  try {
    const done = await work();
    limit.resolve(asking, { isMiss: isMiss(done) });
    return done;
  } catch (error) {
    // Who was overtaken is tried again, and still under way.
    if (!(error instanceof Overtaken)) limit.resolve(asking, { isMiss: false });
    throw error;
  }
}

/** Who was found, and was not in, is no guess. */
const isMiss = ({ result, subject }: CheckIn) => result === 'not_found' && subject === null;

import type { GuessThrottle } from '../../auth/throttle.ts';
import { can, type Viewer } from '../../auth/viewer.ts';
import { Overtaken } from '../../errors.ts';
import type { Asking } from './asking.ts';
import type { CheckIn } from './check-in.ts';

/** All but staff and programs at the door, whatever token or session they have. */
export const mayGuess = (viewer: Viewer) => !can(viewer, 'check-ins:write');

/** Does the work for which the throttle has let somebody pass, and tells it whether that was a guess. */
export async function counted(
  throttle: GuessThrottle,
  asking: Asking,
  work: () => Promise<CheckIn>,
): Promise<CheckIn> {
  try {
    const done = await work();
    throttle.settled(asking, { isMiss: isMiss(done) });
    return done;
  } catch (error) {
    // Who was overtaken is tried again, and still under way.
    if (!(error instanceof Overtaken)) throttle.settled(asking, { isMiss: false });
    throw error;
  }
}

/** Who was found, and was not in, is no guess. */
const isMiss = ({ result, subject }: CheckIn) => result === 'not_found' && subject === null;

import { getStaffId } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';

/**
 * Runs an import, or undoes one, once no other is running in this process. Reads the file within, so that those who wait need no memory.
 *
 * @throws UNAVAILABLE while too many wait
 */
export const importInTurn = <Result>(ctx: Context, work: () => Promise<Result>): Promise<Result> =>
  ctx.queues.imports(getStaffId(ctx.viewer) ?? '', work);

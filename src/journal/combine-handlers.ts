import type { Context } from '../context.ts';
import type { ChangeType } from './catalog.ts';
import type { JournalReader, RecordedChange } from './read-changes.ts';

/** Handles some types of changes, as a part of a reader. */
export interface ChangeHandler {
  types: readonly ChangeType[];
  /** SQL of a condition, if it needs only some of them. */
  where?: string;
  /** As `handle` of a reader. Gets the changes of its types only, and at least one. */
  handle(ctx: Context, changes: RecordedChange[]): Promise<void>;
}

/** Returns a reader that passes each change to the handler of its type. */
export const combineHandlers = (
  name: string,
  handlers: readonly ChangeHandler[],
): JournalReader => ({
  name,
  findTypes: async () => handlers.flatMap(({ types }) => types),
  where: handlers.map(toConditionSql).join('\n      OR '),
  handle: async (ctx, changes) => {
    for (const { types, handle } of handlers) {
      const own = changes.filter(({ type }) => types.includes(type));
      if (own.length > 0) await handle(ctx, own);
    }
  },
});

const toConditionSql = ({ types, where = 'true' }: ChangeHandler) =>
  `(type IN (${types.map((type) => `'${type}'`).join(', ')}) AND (${where}))`;

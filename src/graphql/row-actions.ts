import { projectNumber, type RowProjection } from '../db/json-projection.ts';
import type { Allowed, RowActions } from '../lists/row-actions.ts';
import { builder } from './builder.ts';
import type { RowExtension } from './list-fields.ts';

type ObjectRef<Value> = PothosSchemaTypes.ObjectRef<typeof builder.$inferSchemaTypes, Value>;

interface ActionsOptions<Action extends string> {
  /** The type of the field, such as `EventActions`. */
  type: string;
  /** What the rows are called in descriptions, such as "an event". */
  noun: string;
  rules: RowActions<Action>;
  /** What each action does, with the name of its mutation. */
  actions: Record<Action, string>;
  /** Default: `allowedActions`. */
  field?: string;
}

/** Adds the field of a type that says what the caller can do with the object now. */
export function addActions<Value extends { id: string }, Action extends string>(
  ref: ObjectRef<Value>,
  { type, noun, rules, actions, field = 'allowedActions' }: ActionsOptions<Action>,
): void {
  const names = Object.keys(actions);
  const Actions = builder.objectRef<Allowed<string>>(type).implement({
    description: `What the caller can do with ${noun} now`,
    extensions: {
      projection: ((row) =>
        Object.fromEntries(
          names.map((name) => [name, projectNumber(`${row}."${name}"`)]),
        )) satisfies RowProjection,
    },
    fields: (t) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          t.boolean({
            description: actions[name as Action],
            extensions: { reads: name },
            resolve: (allowed) => allowed[name] ?? false,
          }),
        ]),
      ),
  });
  builder.objectField(ref as ObjectRef<{ id: string }>, field, (t) =>
    t.field({
      type: Actions,
      description: 'What you can do with it now, for buttons. The mutations check this again.',
      extensions: { row: toRowExtension(rules) },
      // Without any if the object was deleted after it was read.
      resolve: async ({ id }, _, { lists }) =>
        (await lists.loadRow<Allowed<string>>(rules, id)) ?? ({ id } as Allowed<string>),
    }),
  );
}

const toRowExtension = ({
  toTable,
}: Pick<RowActions<string>, 'toTable'>): RowExtension | undefined =>
  toTable && {
    table: (_, scope) => toTable(scope),
    where: (row, _, { parent }) => [`${row}.id = ${parent('id')}`],
  };

import { z } from 'zod';
import type { Access } from '../auth/viewer.ts';
import { type AnyRow, describeField, listShownFields } from '../rows/row.ts';
import { builder, findTypeName } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { unwrapSchema } from './zod-input.ts';

type FieldBuilder<Parent> = PothosSchemaTypes.ObjectFieldBuilder<
  typeof builder.$inferSchemaTypes,
  Parent
>;

interface RowFieldsOptions<Parent> {
  /** Loads the row of a parent that has only some of its fields, such as the resource of a booking. */
  load?: (parent: Parent, context: GraphqlContext) => Promise<object>;
  /** Decides by the row who can read the fields that require access. By default, the access does. */
  authorize?: (parent: Parent, args: object, context: GraphqlContext) => true | { access: Access };
  /** Shown fields that the type defines itself. */
  except?: readonly string[];
}

/** Returns the fields of a type that a row description shows, for `fields` of the type. */
export function showFields<Parent extends object>(
  t: FieldBuilder<Parent>,
  row: AnyRow,
  { load, authorize, except = [] }: RowFieldsOptions<Parent> = {},
) {
  const fields = listShownFields(row, except);
  return Object.fromEntries(fields.map(([name, field]) => [name, toField(name, field)]));

  function toField(name: string, field: ReturnType<typeof listShownFields>[number][1]) {
    const { schema, access, toValue } = field;
    const getValue = (value: object) =>
      toValue ? toValue(value) : (value as Record<string, unknown>)[name];
    return t.field({
      type: findOutputType(schema, name),
      nullable: schema instanceof z.ZodNullable,
      description: describeField(field),
      ...(access && { authScopes: authorize ?? { access } }),
      extensions: { reads: name, ...(access && authorize && { sufficientAccess: access }) },
      resolve: (parent: Parent, _: object, context: GraphqlContext) =>
        load === undefined || name in parent
          ? getValue(parent)
          : load(parent, context).then(getValue),
    } as never);
  }
}

function findOutputType(schema: z.ZodType, name: string) {
  const value = unwrapSchema(schema);
  const { def } = value._zod;
  const toRef = (typeName: string) => builder.configStore.getOutputTypeRef(typeName);
  return def.type === 'array'
    ? [toRef(findTypeName(unwrapSchema(def.element), name))]
    : toRef(findTypeName(value, name));
}

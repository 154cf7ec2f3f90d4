import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { ListExtension } from '../../../src/graphql/list-fields.ts';
import { schema } from '../../../src/graphql/schema.ts';

/** A field of the schema that lists rows in pages. */
export interface ListField {
  /** Such as `bookings`, or `Location.bookings` for a field of another type than Query. */
  name: string;
  field: string;
  /** The type that has the field, or null for Query. */
  parent: string | null;
  list: ListExtension['list'];
  toCondition: ListExtension['toCondition'];
  filters: GraphQLInputField[];
  filterType: string | undefined;
  orderType: string | undefined;
}

/** Finds every field of the schema that lists rows in pages. */
export const findListFields = (): ListField[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => toListField(type, field)),
    );

function toListField(
  type: GraphQLObjectType,
  { name, args, extensions, type: output }: GraphQLField<unknown, unknown>,
): ListField[] {
  const { list } = extensions as { list?: ListExtension };
  if (list === undefined || !getNamedType(output).name.endsWith('Connection')) return [];
  const findArgument = (name: string) => args.find((arg) => arg.name === name)?.type;
  const filterType = getNamedType(findArgument('filter'));
  const isRoot = type === schema.getQueryType();
  return [
    {
      name: isRoot ? name : `${type.name}.${name}`,
      field: name,
      parent: isRoot ? null : type.name,
      list: list.list,
      toCondition: list.toCondition,
      filters: isInputObjectType(filterType) ? Object.values(filterType.getFields()) : [],
      filterType: filterType?.name,
      orderType: getNamedType(findArgument('orderBy'))?.name,
    },
  ];
}

/** Returns the table of each type with a list of its own. `node` finds its objects by id. */
export const findNodeTables = (): Map<string, string> =>
  new Map(
    Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
      ({ type, extensions }): [string, string][] => {
        const { list } = extensions as { list?: ListExtension };
        const connection = getNamedType(type);
        const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
        if (list === undefined || nodes === undefined) return [];
        return [[getNamedType(nodes.type).name, list.list.table]];
      },
    ),
  );

/** Returns the root field that gets an object of a type by its id: one of its own, which can be planned, or `node`. */
export function findFieldById(typeName: string): string {
  const own = Object.values(schema.getQueryType()?.getFields() ?? {}).find(
    ({ type, args, extensions }) =>
      getNamedType(type).name === typeName && 'row' in extensions && args.length === 1,
  );
  const argument = own?.args[0]?.name;
  if (argument === 'id' || argument === 'slug') return `${own?.name}(${argument}: $parent)`;
  return 'node(id: $parent)';
}

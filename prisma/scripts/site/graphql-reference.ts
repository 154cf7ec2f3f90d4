import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
  printType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.ts';
import { findTokenScope, listOperations } from '../docs.ts';
import { toCell, toTable } from './markdown.ts';

// The pages of the GraphQL reference, by kind. The input and the result of a mutation stand with it.

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const types = Object.values(schema.getTypeMap())
  .filter(({ name }) => !name.startsWith('__') && !roots.some((root) => root?.name === name))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const operations = new Map(listOperations().map((operation) => [operation.name, operation]));

const isPayload = ({ name }: GraphQLNamedType) => name.endsWith('Payload');
const isList = ({ name }: GraphQLNamedType) => /(Connection|Edge)$/.test(name);

/** The inputs that belong to one mutation, by their names. */
const ownInputs = new Map(
  Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) => {
    const input = args.find((argument) => argument.name === 'input');
    const type = input && getNamedType(input.type);
    return isInputObjectType(type) ? [[type.name, name] as const] : [];
  }),
);

/** Returns where the reference describes a type. */
function locate(type: GraphQLNamedType): string {
  const mutation = ownInputs.get(type.name);
  if (mutation !== undefined) return `mutations.md#${mutation}`;
  if (isList(type)) return locateList(type);
  if (isPayload(type)) return 'mutations.md';
  if (isObjectType(type)) return `objects.md#${type.name}`;
  if (isInputObjectType(type)) return `inputs.md#${type.name}`;
  if (isEnumType(type)) return `enums.md#${type.name}`;
  return `other.md#${type.name}`;
}

/** Lists all have the same form, so the link leads to what they list. */
function locateList(type: GraphQLNamedType): string {
  const node = isObjectType(type) ? findNode(type) : undefined;
  return node === undefined ? 'other.md#lists' : locate(node);
}

function findNode(type: GraphQLObjectType): GraphQLNamedType | undefined {
  const { node, edges } = type.getFields();
  if (node !== undefined) return getNamedType(node.type);
  const edge = edges && getNamedType(edges.type);
  return isObjectType(edge) ? findNode(edge) : undefined;
}

const toTypeLink = (type: GraphQLType) => `[\`${type}\`](${locate(getNamedType(type))})`;

/** A field of an input or an argument. */
function toInputRow({ name, type, description, defaultValue, deprecationReason }: InputValue) {
  const notes = [
    description,
    defaultValue === undefined ? null : `Default: \`${JSON.stringify(defaultValue)}\``,
    deprecationReason == null ? null : `Deprecated: ${deprecationReason}`,
  ];
  return [`\`${name}\``, toTypeLink(type), toCell(joinSentences(notes))];
}

type InputValue = GraphQLArgument | GraphQLInputField;
type OutputField = GraphQLField<unknown, unknown>;

function toFieldRow({ name, type, description, args, deprecationReason }: OutputField) {
  const notes = [
    description,
    ...args.map(
      (argument) =>
        `\`${argument.name}\` (${toTypeLink(argument.type)}): ${argument.description ?? ''}`,
    ),
    deprecationReason == null ? null : `Deprecated: ${deprecationReason}`,
  ];
  return [`\`${name}\``, toTypeLink(type), toCell(joinSentences(notes))];
}

const joinSentences = (notes: (string | null | undefined)[]) =>
  notes.filter((note) => note != null && note !== '').join('. ');

const toInputTable = (values: readonly InputValue[], head = 'Field') =>
  toTable([head, 'Type', 'Description'], values.map(toInputRow));

const toFieldTable = (type: GraphQLObjectType | GraphQLInterfaceType) =>
  toTable(['Field', 'Type', 'Description'], Object.values(type.getFields()).map(toFieldRow));

const toHeading = (name: string) => `## ${name} {#${name}}`;

const joinBlocks = (blocks: (string | null | undefined | false)[]) =>
  `${blocks.filter(Boolean).join('\n\n')}\n`;

/** Returns the page of a root type: its fields, with the scopes of API tokens. */
function describeOperations(root: GraphQLObjectType | undefined | null, intro: string): string {
  const sections = Object.values(root?.getFields() ?? {}).map((field) => {
    const { name, description, args, type, deprecationReason } = field;
    const operation = operations.get(`${root?.name}.${name}`);
    const scope = operation && findTokenScope(operation);
    const input = args.find((argument) => argument.name === 'input');
    const inputType = input && getNamedType(input.type);
    const result = getNamedType(type);
    return joinBlocks([
      toHeading(name),
      description,
      deprecationReason == null ? null : `**Deprecated:** ${deprecationReason}`,
      description?.includes('scope') !== true &&
        `**API tokens:** ${scope === null ? 'cannot use it.' : scope === 'any' ? 'need no scope.' : `need the scope \`${scope}\`.`}`,
      isInputObjectType(inputType)
        ? `**Input** (\`${input?.type}\`)\n\n${toInputTable(Object.values(inputType.getFields()))}`
        : args.length > 0 && `**Arguments**\n\n${toInputTable(args, 'Argument')}`,
      isObjectType(result) && isPayload(result)
        ? `**Result** (\`${type}\`)\n\n${toFieldTable(result)}`
        : `**Result:** ${toTypeLink(type)}`,
    ]);
  });
  return joinBlocks([intro, ...sections.map((section) => section.trim())]);
}

const describeType = (type: GraphQLNamedType, ...blocks: (string | null | false)[]) =>
  joinBlocks([toHeading(type.name), type.description, ...blocks]).trim();

function describeObject(type: GraphQLObjectType | GraphQLInterfaceType): string {
  const interfaces = type.getInterfaces();
  return describeType(
    type,
    interfaces.length > 0 && `**Implements:** ${interfaces.map(toTypeLink).join(', ')}`,
    toFieldTable(type),
  );
}

const describeInput = (type: GraphQLInputObjectType) =>
  describeType(
    type,
    type.isOneOf && '**Exactly one field** must be set.',
    toInputTable(Object.values(type.getFields())),
  );

const describeEnum = (type: GraphQLEnumType) =>
  describeType(
    type,
    toTable(
      ['Value', 'Description'],
      type.getValues().map(({ name, description }) => [`\`${name}\``, toCell(description ?? '')]),
    ),
  );

/** Scalars, interfaces and unions. */
function describeOther(type: GraphQLNamedType): string | null {
  if (isInterfaceType(type)) return describeObject(type);
  if (isUnionType(type)) return describeType(type, type.getTypes().map(toTypeLink).join(', '));
  return isScalarType(type) ? describeType(type) : null;
}

const listExample = types.find((type) => type.name === 'BookingConnection');

/** Returns the pages of the reference, by their file names. */
export function describeGraphql(): Record<string, string> {
  const objects = types.filter(isObjectType).filter((type) => !isPayload(type) && !isList(type));
  const inputs = types.filter(isInputObjectType).filter(({ name }) => !ownInputs.has(name));
  return {
    'queries.md': describeOperations(
      schema.getQueryType(),
      '# Queries\n\nWhat the GraphQL API reads. The [guide](../../guides/graphql.md) explains lists, limits and errors.',
    ),
    'mutations.md': describeOperations(
      schema.getMutationType(),
      '# Mutations\n\nWhat the GraphQL API changes. All mutations take one argument, `input`, and can be repeated safely with an [idempotency key](../../guides/graphql.md).',
    ),
    'subscriptions.md': describeOperations(
      schema.getSubscriptionType(),
      '# Subscriptions\n\nWhat the GraphQL API sends when it happens. The [guide](../../guides/graphql.md) shows how to receive it.',
    ),
    'objects.md': joinBlocks(['# Objects', 'What queries return.', ...objects.map(describeObject)]),
    'inputs.md': joinBlocks([
      '# Inputs',
      'Inputs that are part of others, such as filters. The input of a [mutation](mutations.md) stands with it.',
      ...inputs.map(describeInput),
    ]),
    'enums.md': joinBlocks(['# Enums', ...types.filter(isEnumType).map(describeEnum)]),
    'other.md': joinBlocks([
      '# Scalars, interfaces and unions',
      ...types.map(describeOther),
      `## Lists {#lists}\n\nAll lists have the same form, by the [Relay specification](https://relay.dev/graphql/connections.htm). For example:`,
      listExample && `\`\`\`graphql\n${printType(listExample)}\n\`\`\``,
    ]),
  };
}

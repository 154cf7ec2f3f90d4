import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objectTypes = types.filter(isObjectType);
const mutations = Object.values((schema.getMutationType() as GraphQLObjectType).getFields());
const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** What breaks the conventions in `docs/guides/graphql.md`. */
function listFaults({ name, args, type }: GraphQLField<unknown, unknown>): string[] {
  const faults: string[] = [];
  const expectName = (actual: string, expected: string) => {
    if (actual !== expected) faults.push(`${actual} instead of ${expected}`);
  };
  for (const arg of args) {
    expectName(arg.name, 'input');
    expectName(String(arg.type), `${capitalize(name)}Input!`);
    const input = getNamedType(arg.type);
    const fields = isInputObjectType(input) ? Object.values(input.getFields()) : [];
    faults.push(...fields.filter((it) => !it.description).map((it) => `${it.name} is undescribed`));
  }
  expectName(String(type), `${capitalize(name)}Payload!`);
  const payload = getNamedType(type);
  if (!isObjectType(payload)) return [...faults, 'the payload is no object'];
  const fields = Object.values(payload.getFields());
  for (const field of fields) {
    const { name: typeName } = getNamedType(field.type);
    if (!field.description) faults.push(`${field.name} is undescribed`);
    if (isEntity(field.type)) expectName(capitalize(field.name), typeName);
  }
  if (name.startsWith('delete')) expectName(fields.map((it) => it.name).join(), toDeletedId(name));
  return faults;
}

/** Whether it is one object with an id, not a list of them. */
const isEntity = (outputType: GraphQLOutputType) => {
  const type = getNullableType(outputType);
  return isObjectType(type) && type.getFields().id !== undefined;
};

const toDeletedId = (mutation: string) => `deleted${mutation.slice('delete'.length)}Id`;

it.each(mutations.map((field) => [field.name, field] as const))(
  '%s takes one input and returns one payload',
  (_, field) => {
    expect(listFaults(field)).toEqual([]);
  },
);

it('payloads belong to one mutation each', () => {
  const payloads = objectTypes.filter(({ name }) => name.endsWith('Payload'));
  expect(payloads.map(({ name }) => name).sort()).toEqual(
    mutations.map(({ name }) => `${capitalize(name)}Payload`).sort(),
  );
});

it('connections and edges have the name of their node', () => {
  const connections = objectTypes.filter((type) => type.getFields().pageInfo !== undefined);
  expect(connections.length).toBeGreaterThan(10);
  for (const connection of connections) {
    const edge = getNamedType(connection.getFields().edges?.type);
    const node = isObjectType(edge) ? getNamedType(edge.getFields().node?.type) : undefined;
    expect([connection.name, edge?.name]).toEqual([`${node?.name}Connection`, `${node?.name}Edge`]);
  }
});

it('our scalars say where they are specified', () => {
  const own = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type));
  expect(own.map(({ name }) => name).sort()).toEqual(['Date', 'DateTime', 'JSON']);
  for (const { specifiedByURL } of own)
    expect(specifiedByURL).toMatch(/^https:\/\/(scalars\.graphql|ecma-international)\.org\//);
});

/** Objects with an id that node does not find, and why. */
const NO_NODES: Record<string, string> = {
  BookingSeries: 'the answer to a new series; its bookings are nodes',
  ChangeReference: 'names an object of any type, which is the node',
  CheckIn:
    'the outcome of one scan, for callers who cannot read the log; staff read CheckInAttempt',
  ExpectedArrival: 'a line about a booking, a day pass or a ticket, which are the nodes',
  OrderedEvent: 'what everyone with an order sees of its event; Event is the node',
  PersonalDataMention: 'names a row of any table, to look it up elsewhere',
  Session: 'only the caller has it, in the list of their sessions',
  WebhookOwner: 'names a StaffUser or an ApiToken, which are nodes',
};

it('objects with an id are nodes, or say why not', () => {
  const nodes = objectTypes.filter((type) =>
    type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  const others = objectTypes.filter((type) => type.getFields().id && !nodes.includes(type));
  expect(others.map(({ name }) => name).sort()).toEqual(Object.keys(NO_NODES));
});

/** Parts of other objects. Changes name them, so that programs read them by their id. */
const NODES_WITHOUT_LIST = ['Closure', 'DayPassType', 'TicketType'];

it('nodes are the types with a list or a root field by id, and what changes name', () => {
  const found = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type)) return [];
    if (type.getFields().pageInfo) return getNamedType(type.getFields().nodes?.type)?.name ?? [];
    return type.getFields().id && field.args.some(({ name }) => name === 'id') ? type.name : [];
  });
  const nodes = objectTypes.filter((type) =>
    type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  expect([...new Set([...found, ...NODES_WITHOUT_LIST])].sort()).toEqual(
    nodes.map(({ name }) => name).sort(),
  );
});

it('reasons of deprecations name the day since which they hold', () => {
  const fields = types.flatMap((type) =>
    'getFields' in type ? Object.values((type as GraphQLObjectType).getFields()) : [],
  );
  const reasons = fields.flatMap(({ deprecationReason }) => deprecationReason ?? []);
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).toMatch(/^Since \d{4}-\d{2}-\d{2}: use /);
});

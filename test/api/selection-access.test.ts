import { type GraphQLObjectType, getNamedType, isObjectType, Kind, parse, print } from 'graphql';
import { type Access, hasAccess, type Viewer } from '../../src/auth/viewer.ts';
import { getFieldAccess } from '../../src/graphql/field-access.ts';
import { schema } from '../../src/graphql/schema.ts';
import { MUTATIONS } from '../support/authorization-matrix/fields.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// What a caller cannot read cannot be selected by a mutation. Otherwise the mutation would run, and answer with an error.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const MAX_DEPTH = 4;

interface Forbidden {
  path: string[];
  access: Access;
}

/** Finds, for each access that the viewer lacks, the shortest path to a field below a mutation that declares it. */
function findForbiddenFields(mutation: string, viewer: Viewer): Forbidden[] {
  const found = new Map<Access, Forbidden>();
  const seen = new Set<GraphQLObjectType>();
  const root = schema.getMutationType()?.getFields()[mutation];
  let level: { type: GraphQLObjectType; path: string[] }[] = [
    { type: getNamedType(root?.type) as GraphQLObjectType, path: [] },
  ];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const next: typeof level = [];
    for (const { type, path } of level) {
      for (const field of Object.values(type.getFields())) {
        if (field.args.some(({ type }) => String(type).endsWith('!'))) continue;
        const fieldPath = [...path, field.name];
        const declared = getFieldAccess(field);
        if (declared && !hasAccess(viewer, declared.access)) {
          const { access } = declared;
          if (!found.has(access)) found.set(access, { path: fieldPath, access });
          continue;
        }
        const target = getNamedType(field.type);
        if (!isObjectType(target) || seen.has(target)) continue;
        seen.add(target);
        next.push({ type: target, path: fieldPath });
      }
    }
    level = next;
  }
  return [...found.values()];
}

/** The request of the authorization matrix, which is valid, with another selection. */
function select(request: string, path: string[]): string {
  const document = parse(request);
  const selection = `{ ${path.join(' { ')} { __typename ${'}'.repeat(path.length + 1)}`;
  const leaf = `{ ${path.join(' { ')} ${'}'.repeat(path.length)}`;
  const type = path.reduce<GraphQLObjectType | null>((parent, name) => {
    const field = parent && getNamedType(parent.getFields()[name]?.type);
    return isObjectType(field) ? field : null;
  }, getPayload(request));
  const [definition] = parse(type ? selection : leaf).definitions;
  if (definition?.kind !== 'OperationDefinition') throw new Error('not an operation');
  const { selectionSet } = definition;
  return print({
    ...document,
    definitions: document.definitions.map((operation) =>
      operation.kind === Kind.OPERATION_DEFINITION
        ? {
            ...operation,
            selectionSet: {
              ...operation.selectionSet,
              selections: operation.selectionSet.selections.map((field) => ({
                ...field,
                selectionSet,
              })),
            },
          }
        : operation,
    ),
  });
}

const getPayload = (request: string) =>
  getNamedType(
    schema.getMutationType()?.getFields()[getMutation(request)]?.type,
  ) as GraphQLObjectType;

function getMutation(request: string): string {
  const [definition] = parse(request).definitions;
  const field =
    definition?.kind === 'OperationDefinition' ? definition.selectionSet.selections[0] : undefined;
  if (field?.kind !== 'Field') throw new Error(`not a mutation: ${request}`);
  return field.name.value;
}

/** Counts the executions of a mutation. */
function countExecutions(mutation: string) {
  const field = schema.getMutationType()?.getFields()[mutation];
  const resolve = field?.resolve;
  if (!field || !resolve) throw new Error(`unknown mutation: ${mutation}`);
  let count = 0;
  field.resolve = (...args) => {
    count += 1;
    return resolve(...args);
  };
  return {
    getCount: () => count,
    restore: () => {
      field.resolve = resolve;
    },
  };
}

const ANONYMOUS: Viewer = { kind: 'anonymous' };

describe.each(Object.entries(MUTATIONS))('%s', (_, { request, scope }) => {
  it('does not run if it selects what the caller cannot read', async () => {
    const mutation = getMutation(request);
    const isPublic = scope === undefined;
    const scopes = scope ? [scope] : [];
    const viewer: Viewer = isPublic ? ANONYMOUS : { kind: 'token', id: 'x', name: 'x', scopes };
    const credential = isPublic ? {} : { token: await app.token(...scopes) };
    const field = schema.getMutationType()?.getFields()[mutation];
    const canRun = hasAccess(viewer, (field && getFieldAccess(field)?.access) ?? 'public');
    const executions = countExecutions(mutation);
    try {
      for (const { path } of findForbiddenFields(mutation, viewer)) {
        const { data, errors, codes } = await app.graphql(select(request, path), {}, credential);
        expect({ path, codes, data }).toEqual({
          path,
          codes: [isPublic ? 'UNAUTHENTICATED' : 'FORBIDDEN'],
          data: null,
        });
        expect(errors[0]).toMatchObject({ path: canRun ? [mutation, ...path] : [mutation] });
      }
      expect(executions.getCount()).toBe(0);
    } finally {
      executions.restore();
    }
  });
});

it('names the scope, and leaves fields out that are skipped', async () => {
  const token = await app.token('bookings:write');
  const cancel = (directive: string) =>
    app.graphql(
      `mutation { cancelBooking(input: { id: "x" }) { booking { membership ${directive} { id } } } }`,
      {},
      { token },
    );
  expect((await cancel('')).errors[0]?.extensions).toMatchObject({
    code: 'FORBIDDEN',
    reason: 'MISSING_SCOPE',
    scope: 'members:read',
  });
  expect((await cancel('@skip(if: true)')).codes).toEqual(['NOT_FOUND']);
});

it('runs none of several mutations if one of them is forbidden', async () => {
  const token = await app.token('bookings:write');
  const executions = countExecutions('cancelBooking');
  const { codes } = await app.graphql(
    `mutation { cancelBooking(input: { id: "x" }) { booking { id } }
      deleteEvent(input: { id: "x" }) { deletedEventId } }`,
    {},
    { token },
  );
  executions.restore();
  expect(codes).toEqual(['FORBIDDEN']);
  expect(executions.getCount()).toBe(0);
});

it('names all missing scopes in each error, for queries and mutations', async () => {
  const all = { token: await app.token('*') };
  const token = await app.token('bookings:write');
  const query =
    '{ members { nodes { id } } plans { nodes { id } } again: members { nodes { id } } }';
  const mutation = `mutation { cancelBooking(input: { id: "x" }) { booking { membership { id } resource { displays { nodes { id } } } } }
    deleteEvent(input: { id: "x" }) { deletedEventId } }`;
  for (let time = 0; time < 3; time += 1) await app.graphql(query, {}, all); // compiled, then planned
  const rejected = await app.graphql(query, {}, { token });
  expect(rejected.errors.map(({ message }) => message)).toEqual(
    rejected.errors.map(() => 'This needs the scopes members:read, plans:read.'),
  );
  expect(rejected.errors[0]).toMatchObject({
    path: ['members'],
    extensions: { scope: 'members:read', scopes: ['members:read', 'plans:read'] },
  });
  expect((await app.graphql(mutation, {}, { token })).errors).toMatchObject([
    {
      path: ['cancelBooking', 'booking', 'membership'],
      message: 'This needs the scopes members:read, displays:read, events:write.',
      extensions: {
        scope: 'members:read',
        scopes: ['members:read', 'displays:read', 'events:write'],
      },
    },
  ]);
});

import SchemaBuilder, {
  BasePlugin,
  type GenericInputFieldRef,
  type InputRef,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { z } from 'zod';
import { parseInput, textKinds } from '../core/validation.ts';
import { joinSentences } from './description-plugin.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      zodInput: ZodInputPlugin<Types>;
    }
  }
}

/**
 * Creates the functions that derive input types and arguments from zod schemas. The names, nullability, defaults and
 * descriptions of fields come from the schema; `ZodInputPlugin` parses the values with it.
 */
export function createInputFunctions<Types extends SchemaTypes>(
  builder: PothosSchemaTypes.SchemaBuilder<Types>,
) {
  /** Input types by the schema of their object. A refined or described schema inherits the type. */
  const inputTypes = z.registry<{ ref: InputRef }>();

  /**
   * Creates an input type from the schema of an object, which can also convert it. Resolvers receive what the schema
   * returns.
   */
  function createInputType<Schema extends z.ZodType<object>>(
    name: string,
    schema: Schema,
    defaultDescription?: string,
  ): InputRef<z.output<Schema>> {
    const object = unwrapSchema(schema);
    const { def } = object._zod;
    if (def.type !== 'object') throw new Error(`${name}: only an object can be an input type`);
    const ref = builder.inputType(name, {
      description: findDescription(schema) ?? defaultDescription,
      extensions: { inputSchema: schema },
      fields: (t) =>
        mapShape(def.shape, (field, key) =>
          t.field(toFieldOptions(field, `${name}.${key}`) as never),
        ) as never,
    });
    inputTypes.add(object, { ref: ref as InputRef });
    return ref as InputRef as InputRef<z.output<Schema>>;
  }

  /** Returns the input type that was created last from this schema, such as for a query that previews a mutation. */
  function getInputType<Schema extends z.ZodType<object>>(
    schema: Schema,
  ): InputRef<z.output<Schema>> {
    const ref = inputTypes.get(unwrapSchema(schema))?.ref;
    if (ref === undefined) throw new Error('no input type was created from this schema');
    return ref as InputRef<z.output<Schema>>;
  }

  /** Creates arguments from a schema with one property for each. Also for lists of inputs. */
  const createArgs = <Schema extends z.ZodObject>(schema: Schema, parse = parseInput) => {
    const argsSchema: ArgsSchema = { schema, parse };
    const args = builder.args((t) =>
      mapShape(schema.shape, (field, name) =>
        t.field({ ...toFieldOptions(field, name), extensions: { argsSchema } } as never),
      ),
    );
    return args as object as {
      [Name in keyof z.output<Schema>]-?: GenericInputFieldRef<z.output<Schema>[Name]>;
    };
  };

  /** Creates the arguments and the resolver of a query that has no others. The resolver receives what the schema returns. */
  const withArgs = <Schema extends z.ZodObject, Result>(
    schema: Schema,
    resolve: (args: z.output<Schema>, context: Types['Context']) => Result,
    parse = parseInput,
  ) => ({
    args: createArgs(schema, parse),
    // Pothos adds null to the types of optional arguments. Parsed arguments do not have it.
    resolve: (_: unknown, args: object, context: Types['Context']) =>
      resolve(args as z.output<Schema>, context),
  });

  /** `.default()` makes a field nullable, as in `Int = 10`; `.prefault()` does not, as in `Int! = 10`. */
  function toFieldOptions(schema: z.core.$ZodType, path: string) {
    const value = unwrapSchema(schema);
    const { def } = value._zod;
    const isPrefault = schema._zod.def.type === 'prefault';
    const isRequired = isPrefault || !(accepts(schema, undefined) || accepts(schema, null));
    const common = { description: describeField(schema), defaultValue: findDefault(schema) };
    if (def.type !== 'array')
      return { ...common, type: findType(value, path), required: isRequired };
    const required = { list: isRequired, items: !accepts(def.element, null) };
    return { ...common, type: [findType(unwrapSchema(def.element), path)], required };
  }

  function findType(schema: z.core.$ZodTypes, path: string): InputRef {
    const { def } = schema._zod;
    if (def.type !== 'object') return getType(findTypeName(schema, path));
    const ref = inputTypes.get(schema)?.ref;
    if (ref === undefined) throw new Error(`${path}: this object needs an input type`);
    return ref;
  }

  const getType = (name: string) => builder.configStore.getInputTypeRef(name) as InputRef;

  /** Finds the scalar or the enum that represents a value. `path` is for errors. */
  function findTypeName(schema: z.core.$ZodTypes, path: string): string {
    const { def } = schema._zod;
    switch (def.type) {
      case 'string': {
        const kind = textKinds.get(schema)?.kind;
        if (kind === 'date') return 'Date';
        return kind === 'id' || getFormat(def) === 'uuid' ? 'ID' : 'String';
      }
      case 'number':
        return getFormat(def) === 'safeint' ? 'Int' : 'Float';
      case 'boolean':
        return 'Boolean';
      case 'date':
        return 'DateTime';
      case 'enum':
        return findEnumName(Object.values(def.entries), path);
      case 'literal':
        return findEnumName(def.values, path);
      default:
        throw new Error(`${path}: GraphQL has no type for ${def.type}`);
    }
  }

  /** Finds the enum that stands for exactly these values. */
  function findEnumName(values: readonly unknown[], path: string): string {
    const names = [...builder.configStore.typeConfigs.values()].flatMap((config) =>
      hasSameItems(listEnumValues(config), values) ? [config.name] : [],
    );
    const [name, ...others] = names;
    if (name !== undefined && others.length === 0) return name;
    throw new Error(`${path}: ${names.length} enums have exactly the values ${values.join(', ')}`);
  }

  return { createInputType, getInputType, createArgs, withArgs, findTypeName };
}

const mapShape = <Result>(
  shape: z.core.$ZodShape,
  convert: (field: z.core.$ZodType, name: string) => Result,
) => Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, convert(field, name)]));

const getFormat = (def: { format?: unknown } | object) =>
  'format' in def ? def.format : undefined;

const listEnumValues = (config: PothosTypeConfig): unknown[] =>
  config.kind === 'Enum' ? Object.values(config.values ?? {}).map(({ value }) => value) : [];

const hasSameItems = (some: unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((item) => others.includes(item));

/** Looks from the outside in, so that a field can describe a shared schema in its own way. */
function findDescription(schema: z.core.$ZodType): string | undefined {
  const inner = getInnerSchema(schema);
  return z.globalRegistry.get(schema)?.description ?? (inner && findDescription(inner));
}

/** The description of a field, with the limits of its values. */
function describeField(schema: z.core.$ZodType): string | undefined {
  const description = findDescription(schema);
  const limits = formatLimits(unwrapSchema(schema));
  return description && limits ? joinSentences(description, limits) : description;
}

/** Returns a sentence such as "At most 100 characters.", or undefined for schemas without limits. */
function formatLimits(schema: z.core.$ZodTypes): string | undefined {
  const { def, bag } = schema._zod as {
    def: { type: string };
    bag: { minimum?: unknown; maximum?: unknown };
  };
  const unit = { string: ' characters', array: ' entries', number: '' }[def.type];
  if (unit === undefined) return undefined;
  const [min, max] = [bag.minimum, bag.maximum].map((limit) =>
    typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined,
  );
  // That a text is not empty needs no mention.
  const hasMin = min !== undefined && (unit === '' || min > 1);
  if (max === undefined) return hasMin ? `At least ${min}${unit}.` : undefined;
  if (!hasMin) return `At most ${max}${unit}.`;
  return unit === '' ? `From ${min} to ${max}.` : `${min} to ${max}${unit}.`;
}

function findDefault(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'default' || def.type === 'prefault') return def.defaultValue;
  const inner = getInnerSchema(schema);
  return inner && findDefault(inner);
}

const accepts = (schema: z.core.$ZodType, value: null | undefined): boolean =>
  z.safeParse(schema, value).success;

/** The schema of the value itself: without what makes it optional or converts it. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodTypes {
  const inner = getInnerSchema(schema);
  return inner === undefined ? (schema as z.core.$ZodTypes) : unwrapSchema(inner);
}

function getInnerSchema(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return def.innerType;
    case 'pipe':
      return def.in;
    default:
      return undefined;
  }
}

type ArgsParser = (args: object) => object;
type Resolver<Context> = GraphQLFieldResolver<unknown, Context, object>;

/** The data that `createArgs` attaches to each argument. */
export interface ArgsSchema {
  schema: z.ZodObject;
  parse: typeof parseInput;
}

/** Parses arguments after authorization and before rate limits and idempotency, as in REST. */
class ZodInputPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: Resolver<Types['Context']>,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types['Context']> {
    const parseArgs = this.createArgsParser(field);
    if (parseArgs === null) return resolve;
    return (root, args, context, info) => resolve(root, parseArgs(args), context, info);
  }

  override wrapSubscribe(
    subscribe: Resolver<Types['Context']> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types['Context']> | undefined {
    return subscribe && this.wrapResolve(subscribe, field);
  }

  /** Returns null if no argument has a schema. */
  private createArgsParser({ name: field, args }: PothosOutputFieldConfig<Types>) {
    const parsers: ArgsParser[] = [];
    const argsSchemas = new Set<ArgsSchema>();
    for (const [name, { type, extensions }] of Object.entries(args)) {
      const item = type.kind === 'List' ? type.type : type;
      if (extensions?.argsSchema) argsSchemas.add(extensions.argsSchema as ArgsSchema);
      else if (item.kind === 'InputObject') {
        const schema = this.buildCache.getTypeConfig(item.ref).extensions?.inputSchema;
        if (schema && type.kind === 'List') throw new Error(`${field}.${name}: use createArgs`);
        if (schema) parsers.push(createInputParser(name, schema as z.ZodType));
      }
    }
    parsers.unshift(...[...argsSchemas].map(createArgsSchemaParser));
    if (parsers.length === 0) return null;
    return (args: object) => parsers.reduce((parsed, parse) => parse(parsed), args);
  }
}

/** Parses one argument. Errors name fields relative to it, as REST does for a body. */
export function createInputParser(name: string, schema: z.ZodType): ArgsParser {
  const dropNulls = createNullFilter(schema);
  return (args) => {
    const value = (args as Record<string, unknown>)[name];
    return value == null ? args : { ...args, [name]: parseInput(schema, dropNulls(value)) };
  };
}

/** Parses the arguments that the schema describes and leaves the others as they are. */
export function createArgsSchemaParser({ schema, parse }: ArgsSchema): ArgsParser {
  const dropNulls = createNullFilter(schema);
  return (args) => {
    const others = Object.entries(args).filter(([name]) => !(name in schema.shape));
    return { ...Object.fromEntries(others), ...parse(schema, dropNulls(args)) };
  };
}

type NullFilter = (value: unknown) => unknown;

const keepNulls: NullFilter = (value) => value;

/** GraphQL clients send null for an absent value. Drops each null that the schema does not accept, at any depth. */
function createNullFilter(schema: z.core.$ZodType): NullFilter {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'array') {
    const filterItem = createNullFilter(def.element);
    if (filterItem === keepNulls) return keepNulls;
    return (value) => (Array.isArray(value) ? value.map(filterItem) : value);
  }
  if (def.type !== 'object') return keepNulls;
  const fields = new Map(
    Object.entries(def.shape).map(([name, field]) => [
      name,
      { acceptsNull: accepts(field, null), filter: createNullFilter(field) },
    ]),
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) => {
        const field = fields.get(name);
        if (field === undefined) return [[name, item]];
        return item === null && !field.acceptsNull ? [] : [[name, field.filter(item)]];
      }),
    );
  };
}

SchemaBuilder.registerPlugin('zodInput', ZodInputPlugin);

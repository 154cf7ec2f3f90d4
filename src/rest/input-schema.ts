import { z } from 'zod';
import { toSnakeCase } from '../core/letter-case.ts';
import { instantParameter, integerParameter, listParameter } from './route.ts';

type Descriptions<Schema extends z.ZodType> = { [Name in keyof z.output<Schema>]?: string };
type RestSchema<Schema extends z.ZodType> = z.ZodType<z.output<Schema>, Record<string, unknown>>;
type Convert = (schema: z.core.$ZodType) => z.ZodType;

/**
 * Converts the schema of an input to that of a REST body: strict, with keys in snake_case and times as text. It returns
 * the same as the original. Fields keep their descriptions, except for those given here.
 */
export const toRestSchema = <Schema extends z.ZodObject>(
  schema: Schema,
  descriptions: Descriptions<Schema> = {},
): RestSchema<Schema> => toStrictSchema(schema, descriptions, convert);

/** Converts the schema of an input to that of a REST query, as `toRestSchema` does. Integers and lists are text too. */
export const toRestQuery = <Schema extends z.ZodObject>(
  schema: Schema,
  descriptions: Descriptions<Schema> = {},
): RestSchema<Schema> => toStrictSchema(schema, descriptions, convertParameter);

function toStrictSchema<Schema extends z.ZodObject>(
  schema: Schema,
  descriptions: Descriptions<Schema>,
  convertField: Convert,
): RestSchema<Schema> {
  const shape = Object.entries(schema.shape).map(([name, field]) => {
    const description = descriptions[name as keyof z.output<Schema>];
    const converted = convertField(field);
    return [name, description ? converted.meta({ description }) : converted] as const;
  });
  return convertObject(schema.strict()._zod.def, shape) as RestSchema<Schema>;
}

const convert: Convert = (schema) => describeAs(schema, convertType(schema));

function convertType(schema: z.core.$ZodType): z.ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'date':
      return instantParameter;
    case 'object':
      return convertObject(
        def,
        Object.entries(def.shape).map(([name, field]) => [name, convert(field)]),
      );
    case 'array':
      return rebuild(schema, { ...def, element: convert(def.element) });
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return rebuild(schema, { ...def, innerType: convert(def.innerType) });
    case 'pipe':
      // The input of a preprocessed value is text already.
      if ((def.in as z.core.$ZodTypes)._zod.def.type === 'transform') return rebuild(schema, def);
      return rebuild(schema, { ...def, in: convert(def.in) });
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
      return rebuild(schema, def);
    default:
      throw new Error(`REST has no input for ${def.type}`);
  }
}

const convertParameter: Convert = (schema) => describeAs(schema, convertParameterType(schema));

function convertParameterType(schema: z.core.$ZodType): z.ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'number') return toIntegerParameter(schema as z.ZodNumber);
  if (def.type === 'array') return listParameter(convert(schema) as z.ZodArray<z.ZodType>);
  if (def.type === 'optional')
    return rebuild(schema, { ...def, innerType: convertParameter(def.innerType) });
  return convert(schema);
}

/** Gives a converted schema the description of the original, with the names of REST. */
function describeAs(original: z.core.$ZodType, converted: z.ZodType): z.ZodType {
  const description = z.globalRegistry.get(original)?.description;
  if (description === undefined) return converted;
  return converted.meta({ description: toRestNames(description) });
}

/** Replaces the names of fields, such as memberId, by those of REST. */
const toRestNames = (description: string) =>
  description.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, toSnakeCase);

function toIntegerParameter({ minValue, maxValue }: z.ZodNumber): z.ZodType {
  if (minValue === null || maxValue === null) throw new Error('a number in a query needs limits');
  return integerParameter(minValue, maxValue);
}

/** Creates the schema again, without its metadata. */
const rebuild = (schema: z.core.$ZodType, def: object) =>
  z.core.clone(schema, def as never) as z.ZodType;

function convertObject(
  { catchall, checks = [] }: z.core.$ZodObjectDef,
  shape: (readonly [string, z.ZodType])[],
): z.ZodType {
  if (checks.length > 0) throw new Error('a refined object cannot be converted');
  const names = new Map(shape.map(([name]) => [toSnakeCase(name), name]));
  const object = z.object(
    Object.fromEntries(shape.map(([name, field]) => [toSnakeCase(name), field])),
  );
  return (catchall ? object.catchall(catchall as z.ZodType) : object).transform((value) =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [names.get(key) ?? key, item])),
  );
}

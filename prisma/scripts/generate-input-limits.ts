import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { schema } from '../../src/graphql/schema.ts';
import { unwrapSchema } from '../../src/graphql/zod-input.ts';

// The limits of input fields, for the forms of the pages: what the service checks is not typed again there.

interface FieldLimits {
  kind: 'text' | 'integer' | 'boolean' | 'money' | 'list' | 'other';
  /** Whether a form can leave it empty. */
  isOptional?: true;
  /** Of the text, or of each text of a list. */
  maxLength?: number;
  min?: number;
  max?: number;
  maxItems?: number;
  /** Of texts that have another one than that of their format. */
  pattern?: RegExp;
}

function toLimits(input: string, field: z.ZodType): FieldLimits {
  const value = unwrapSchema(field);
  const optional = canBeEmpty(input, field) ? { isOptional: true as const } : {};
  if (value instanceof z.ZodObject && 'currency' in value.shape)
    return { kind: 'money', ...optional };
  if (value instanceof z.ZodArray) {
    const { maxLength } = toLimits(input, value.element as z.ZodType);
    const maximum = findCheck(value, 'max_length')?.maximum;
    return {
      kind: 'list',
      ...(field.safeParse([]).success && { isOptional: true }),
      ...(maxLength !== undefined && { maxLength }),
      ...(maximum !== undefined && { maxItems: maximum }),
    };
  }
  if (value instanceof z.ZodBoolean) return { kind: 'boolean', ...optional };
  if (value instanceof z.ZodNumber) {
    const { minValue, maxValue } = value;
    return { kind: 'integer', ...optional, ...toRange(minValue, maxValue) };
  }
  if (value instanceof z.ZodString || value instanceof z.ZodEmail || value instanceof z.ZodURL) {
    const { maxLength } = value;
    const pattern = findCheck(value, 'string_format')?.pattern;
    return {
      kind: 'text',
      ...optional,
      ...(maxLength !== null && { maxLength }),
      ...(pattern && { pattern }),
    };
  }
  return { kind: 'other', ...optional };
}

/** In an update, an absent field stays as it is, so only null empties it. Elsewhere, absent is empty, unless there is a default. */
function canBeEmpty(input: string, field: z.ZodType): boolean {
  if (field.safeParse(null).success) return true;
  const absent = field.safeParse(undefined);
  return !input.startsWith('Update') && absent.success && absent.data === undefined;
}

interface Check {
  check: string;
  maximum?: number;
  pattern?: RegExp;
}

const findCheck = ({ def }: z.ZodType, kind: string): Check | undefined =>
  (def as { checks?: z.core.$ZodCheck[] }).checks
    ?.map(({ _zod }) => _zod.def as Check)
    .find(({ check }) => check === kind);

const toRange = (min: number | null, max: number | null) => ({
  ...(min !== null && Number.isSafeInteger(min) && min > Number.MIN_SAFE_INTEGER && { min }),
  ...(max !== null && max < Number.MAX_SAFE_INTEGER && { max }),
});

const limits = Object.fromEntries(
  Object.values(schema.getTypeMap()).flatMap(({ name, extensions }) => {
    const { inputSchema } = extensions as { inputSchema?: z.ZodType };
    const object = inputSchema && unwrapSchema(inputSchema);
    if (!(object instanceof z.ZodObject)) return [];
    const fields = Object.entries<z.ZodType>(object.shape);
    return [[name, Object.fromEntries(fields.map(([key, field]) => [key, toLimits(name, field)]))]];
  }),
);

/** Writes the value as TypeScript, with literals of regular expressions. */
const toSource = (value: unknown): string =>
  value instanceof RegExp
    ? String(value)
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([key, inner]) => `${JSON.stringify(key)}:${toSource(inner)}`)
          .join()}}`
      : JSON.stringify(value);

writeFileSync(
  new URL('../../src/web/gql/input-limits.ts', import.meta.url),
  `export const INPUT_LIMITS = ${toSource(limits)} as const;\n`,
);
process.exit(0);

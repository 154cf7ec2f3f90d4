import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { schema } from '../../src/graphql/schema.ts';
import { unwrapSchema } from '../../src/graphql/zod-input.ts';

// The limits of input fields, for the forms of the pages: what the service checks is not typed again there.

interface FieldLimits {
  kind: 'text' | 'integer' | 'boolean' | 'other';
  /** Whether a form can leave it empty. */
  isOptional?: true;
  maxLength?: number;
  min?: number;
  max?: number;
}

function toLimits(field: z.ZodType): FieldLimits {
  const value = unwrapSchema(field);
  const optional = field.safeParse(null).success ? { isOptional: true as const } : {};
  if (value instanceof z.ZodBoolean) return { kind: 'boolean', ...optional };
  if (value instanceof z.ZodNumber) {
    const { minValue, maxValue } = value;
    return { kind: 'integer', ...optional, ...toRange(minValue, maxValue) };
  }
  if (value instanceof z.ZodString || value instanceof z.ZodEmail || value instanceof z.ZodURL) {
    const { maxLength } = value;
    return { kind: 'text', ...optional, ...(maxLength === null ? {} : { maxLength }) };
  }
  return { kind: 'other', ...optional };
}

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
    return [[name, Object.fromEntries(fields.map(([key, field]) => [key, toLimits(field)]))]];
  }),
);

writeFileSync(
  new URL('../../src/web/gql/input-limits.ts', import.meta.url),
  `export const INPUT_LIMITS = ${JSON.stringify(limits)} as const;\n`,
);
process.exit(0);

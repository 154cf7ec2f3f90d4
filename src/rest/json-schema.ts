import { z } from 'zod';
import type { Route } from './route.ts';

/** Named schemas stand beside the others, once; zod would put them into every schema that uses them. */
export function dataSchema({ data }: Route, schemas: Record<string, unknown>): object {
  const written = JSON.stringify(schemaOf(data, 'output'));
  const { $defs, ...schema } = JSON.parse(
    written.replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  Object.assign(schemas, $defs);
  return schema;
}

export function schemaOf(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
  });
  return schema;
}

export const envelope = (data: object) => ({
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: { success: { const: true }, data },
});

export const json = (schema: object) => ({ 'application/json': { schema } });

import { z } from 'zod';
import { textKinds, uuid } from '../core/validation.ts';

/** Returns the schema of a value as the APIs and the journal write it: as JSON, and without the limits of inputs. */
export function toOutputSchema(schema: z.core.$ZodType): z.ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string': {
      if (textKinds.get(schema as z.ZodString)?.kind === 'date') return z.iso.date();
      return 'format' in def && def.format === 'uuid' ? uuid : z.string();
    }
    case 'number':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'date':
      return z.iso.datetime();
    case 'enum':
      return z.enum(def.entries);
    case 'array':
      return z.array(toOutputSchema(def.element));
    case 'nullable':
      return toOutputSchema(def.innerType).nullable();
    case 'pipe':
      return toOutputSchema(def.in);
    default:
      throw new Error(`a column cannot be of the type ${def.type}`);
  }
}

import { z } from 'zod';
import { toPascalCase } from '../core/letter-case.ts';
import { uuid } from '../core/validation.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../journal/catalog.ts';
import { listColumns, toShapeSchema } from '../journal/shape.ts';
import { SHAPES } from '../journal/shapes.ts';
import { SUBJECTS, type Subject, type SubjectName } from '../journal/subjects.ts';
import { findMessageObject } from './object-table.ts';

// The data of webhook messages: the entry of the journal, and the object as GET returns it.

/** The schema of `before` and `after`: the fields of the object in REST, of which only those that changed are there. */
function toFieldsSchema(subject: SubjectName): z.ZodObject {
  const { fields }: Subject = SUBJECTS[subject];
  const { fields: shapes = {}, leftOut = {} } = SHAPES[subject] ?? {};
  const hidden = [...Object.values(shapes).flatMap(listColumns), ...Object.keys(leftOut)];
  const own = Object.entries(fields.shape).filter(
    ([name]) => name === 'status' || !hidden.includes(name),
  );
  // A redacted value is null.
  const shaped = Object.entries(shapes).map(([name, shape]) => [
    name,
    toShapeSchema(shape, fields.shape),
  ]);
  return z
    .object(
      Object.fromEntries(
        [...own, ...shaped].map(([name, schema]) => [name, (schema as z.ZodType).nullable()]),
      ),
    )
    .partial();
}

function toChangeSchema(subject: SubjectName): z.ZodObject {
  const fields = toFieldsSchema(subject)
    .meta({ id: `${toPascalCase(subject)}Fields` })
    .nullable();
  return z
    .object({
      id: uuid,
      position: z.int().meta({ description: 'Its place in the journal, which grows' }),
      subject_type: z.literal(subject).meta({ description: 'What changed' }),
      subject_id: uuid.nullable().meta({ description: 'Its id; null for settings' }),
      subject_key: z.string().meta({
        description: 'Its id, and for settings a name: the same for all changes of one subject',
      }),
      location_id: uuid.nullable(),
      at: z.iso.datetime().meta({ description: 'When it happened' }),
      deleted: z.boolean().meta({ description: 'Whether the object no longer exists' }),
      redacted: z
        .boolean()
        .meta({ description: 'Whether personal data was removed from before and after' }),
      before: fields.meta({ description: 'The values that changed; null if it was created' }),
      after: fields.meta({ description: 'The new values; null if it was deleted' }),
    })
    .meta({ id: `${toPascalCase(subject)}Change` });
}

const CHANGE_SCHEMAS = Object.fromEntries(
  (Object.keys(SUBJECTS) as SubjectName[]).map((subject) => [subject, toChangeSchema(subject)]),
) as Record<SubjectName, z.ZodObject>;

function toPayloadSchema(type: ChangeType): z.ZodObject {
  const change = CHANGE_SCHEMAS[toSubjectName(type)];
  const shown = findMessageObject(type);
  return z.object(shown ? { [shown.name]: shown.object.schema, change } : { change });
}

/** The schema of the data of a webhook message, by type. */
export const PAYLOAD_SCHEMAS = Object.fromEntries(
  CHANGE_TYPES.map((type) => [type, toPayloadSchema(type)]),
) as Record<ChangeType, z.ZodObject>;

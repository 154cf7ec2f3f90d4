import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { Access } from '../auth/viewer.ts';
import { DEFAULT_LIMIT, DEFAULT_RELATION_LIMIT, MAX_LIMIT } from '../core/pagination.ts';
import { getFieldAccess } from './field-access.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      descriptions: DescriptionPlugin<Types>;
    }
  }
}

const ACCESS_SENTENCES: Partial<Record<Access, string>> = {
  public: 'Public.',
  'signed-in': 'Requires a signed-in staff user or member.',
  staff: 'Requires a signed-in staff user.',
  'staff:manage': 'Requires a signed-in owner or manager.',
  'staff:owner': 'Requires a signed-in owner.',
};

/** Arguments that mean the same for every field. */
const COMMON_ARGUMENTS: Record<string, string> = {
  input: 'The values that the mutation needs',
  filter: 'Limits the list. Default: the rows in the description of the field.',
  orderBy: 'How to sort the list. Default: the order in the description of the field.',
};

/** The default page size of a list depends on whether it is below another object. */
function describePageSize<Types extends SchemaTypes>(
  field: PothosOutputFieldConfig<Types>,
): PothosOutputFieldConfig<Types> {
  const { list } = (field.extensions ?? {}) as { list?: { toCondition?: unknown } };
  const { first } = field.args;
  if (list === undefined || first === undefined) return field;
  const defaultLimit = list.toCondition ? DEFAULT_RELATION_LIMIT : DEFAULT_LIMIT;
  const description = `The size of the page, from 1 to ${MAX_LIMIT}. Default: ${defaultLimit}.`;
  return { ...field, args: { ...field.args, first: { ...first, description } } };
}

/** Adds what follows from the code to descriptions, so that the two cannot disagree: the required access of fields,
 * and the default page size of lists. */
class DescriptionPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(given: PothosOutputFieldConfig<Types>) {
    const field = describePageSize(given);
    const { name, extensions, pothosOptions } = field;
    const declared = getFieldAccess({ name, extensions: { ...extensions, pothosOptions } });
    if (declared === null || !field.description) return field;
    const { access, dependsOnRow } = declared;
    const sentence = dependsOnRow
      ? `Requires the scope ${access}, except for what belongs to the signed-in member.`
      : (ACCESS_SENTENCES[access] ?? `Requires the scope ${access}.`);
    return { ...field, description: joinSentences(field.description, sentence) };
  }

  override onInputFieldConfig(field: PothosInputFieldConfig<Types>) {
    if (field.kind !== 'Arg' || field.description) return field;
    return { ...field, description: COMMON_ARGUMENTS[field.name] };
  }
}

/** Descriptions of one sentence have no full stop. */
export const joinSentences = (first: string, second: string) =>
  `${first.replace(/\.$/, '')}. ${second}`;

SchemaBuilder.registerPlugin('descriptions', DescriptionPlugin);

import { NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { INPUT_LIMITS } from '../gql/input-limits.ts';
import { type NumberInputValue, toNumberOrNull } from './FieldGroups.tsx';

type InputName = keyof typeof INPUT_LIMITS;

interface FieldLimits {
  kind: 'text' | 'integer' | 'boolean' | 'other';
  isOptional?: true;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** How a form shows a field of an input. Its type and its limits are those of the input. */
export interface FieldView {
  label: string;
  description?: string;
  /** What to do if a required field is empty. By default "Enter a value". */
  missing?: string;
  type?: 'email' | 'tel' | 'url';
  suffix?: string;
  placeholder?: string;
  /** The rows of a text on several lines. */
  rows?: number;
}

/** The fields of a form: those of an input of the API, and how the form shows them. */
export interface InputFields<Input> {
  input: InputName;
  views: { [Name in keyof Input]?: FieldView };
}

type FormValue = NumberInputValue | boolean | null;
type Validate = (value: FormValue, values: Record<string, FormValue>) => string | null;

interface InputFormOptions<Input> {
  /** The row to edit, or the values that a new row starts with. */
  row?: { [Name in keyof Input]?: unknown };
  /** Checks of fields, in addition to those that must not be empty. */
  validate?: { [Name in keyof Input]?: Validate };
}

const getLimits = (input: InputName, name: string): FieldLimits =>
  (INPUT_LIMITS[input] as Record<string, FieldLimits>)[name] ?? { kind: 'other' };

/**
 * A form with the fields of an input. `toChanges` returns the fields that differ from the row, as the API takes them: text
 * without surrounding blanks, and null for what is empty.
 */
export function useInputForm<Input extends object>(
  { input, views }: InputFields<Input>,
  { row = {}, validate = {} }: InputFormOptions<Input> = {},
) {
  const names = Object.keys(views);
  const initialValues = Object.fromEntries(
    names.map((name) => {
      const value = (row as Record<string, FormValue | undefined>)[name];
      return [name, value ?? (getLimits(input, name).kind === 'boolean' ? false : '')];
    }),
  );
  const form = useForm<Record<string, FormValue>>({
    initialValues,
    validate: Object.fromEntries(
      names.map((name): [string, Validate] => [
        name,
        (value, values) =>
          findMissing(value, getLimits(input, name), (views as Views)[name]) ??
          (validate as Record<string, Validate | undefined>)[name]?.(value, values) ??
          null,
      ]),
    ),
  });
  const toInputValue = (name: string, value: FormValue): FormValue =>
    getLimits(input, name).kind === 'integer'
      ? toNumberOrNull(value as NumberInputValue)
      : typeof value === 'string'
        ? value.trim() || null
        : value;
  return {
    ...form,
    input,
    views: views as Views,
    toChanges: (values: Record<string, FormValue>) =>
      Object.fromEntries(
        names
          .filter((name) => values[name] !== initialValues[name])
          .map((name) => [name, toInputValue(name, values[name] ?? null)]),
      ) as Partial<Input>,
  };
}

type Views = Record<string, FieldView | undefined>;

export type InputForm = Pick<
  ReturnType<typeof useInputForm<object>>,
  'input' | 'views' | 'getInputProps'
>;

function findMissing(value: FormValue, { isOptional }: FieldLimits, view: FieldView | undefined) {
  const isEmpty = typeof value === 'string' && value.trim() === '';
  return isEmpty && !isOptional ? (view?.missing ?? 'Enter a value') : null;
}

interface InputFieldProps {
  form: InputForm;
  name: string;
  /** Whether the dialog focuses it first. */
  isFirst?: boolean;
}

/** A field of a form, as its type in the API needs it. */
export function InputField({ form, name, isFirst = false }: InputFieldProps) {
  const { kind, isOptional, maxLength, min, max } = getLimits(form.input, name);
  const { label = name, description, type, suffix, placeholder, rows } = form.views[name] ?? {};
  const props = {
    label: isOptional && kind !== 'boolean' ? `${label} (optional)` : label,
    ...(description && { description }),
    ...(placeholder && { placeholder }),
    ...(isFirst && { 'data-autofocus': true }),
    ...form.getInputProps(name, { type: kind === 'boolean' ? 'checkbox' : 'input' }),
  };
  if (kind === 'boolean') return <Switch {...props} />;
  if (kind === 'integer')
    return (
      <NumberInput
        {...props}
        allowDecimal={false}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(suffix && { suffix })}
      />
    );
  const limit = maxLength === undefined ? {} : { maxLength };
  if (rows) return <Textarea {...props} {...limit} minRows={rows} autosize />;
  return <TextInput {...props} {...limit} {...(type && { type })} />;
}

import {
  NumberInput,
  type NumberInputProps,
  Switch,
  type SwitchProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type GetInputPropsReturnType, useForm } from '@mantine/form';
import { useRef } from 'react';
import { getText } from '../language/page-texts.ts';
import { useFieldError } from './ErrorAlerts.tsx';
import {
  canBeEmpty,
  type FieldView,
  type FieldViews,
  type FormValues,
  findProblem,
  getLimits,
  type InputName,
  listFields,
  pickChanges,
  toInitialValues,
  toInputValue,
  toLimitProps,
} from './input-values.ts';

type InputProps = GetInputPropsReturnType & Required<Pick<GetInputPropsReturnType, 'value'>>;

type Validators<Values> = {
  [Name in keyof Values]?: ((value: Values[Name], values: Values) => string | null) | object;
};

interface InputFormOptions<Input, Own> {
  /** The row to edit, or the values that a new row starts with. Local times stand for instants. */
  row?: { [Name in keyof Input]?: unknown } & { updatedAt?: string | null };
  /** Initial values that the input does not have, or not in this form. */
  own?: Own;
  /** Checks of values, after that for missing ones. */
  validate?: Validators<FormValues<Input, NoInfer<Own>>>;
  /** Fields that are not simply the values of their inputs, such as instants. */
  toInput?: (values: FormValues<Input, NoInfer<Own>>) => Partial<Input>;
  onValuesChange?: () => void;
}

/**
 * A form with the fields of an input. `toInput` returns all of them, as the API takes them. `toChanges` returns those that
 * differ from the row, with the version of the row if it has one: then nobody overwrites what others have changed.
 */
export function useInputForm<Input extends object, Own extends object = Record<never, never>>(
  input: InputName,
  views: FieldViews<Input>,
  options: InputFormOptions<Input, Own> = {},
) {
  type Values = FormValues<Input, Own>;
  const names = listFields(input, views);
  const getView = (name: string) => (views as Record<string, FieldView>)[name] ?? { label: name };
  const form = useForm<Values>({
    initialValues: {
      ...toInitialValues(input, views, options.row ?? {}),
      ...options.own,
    } as Values,
    validate: createValidators(
      names,
      (name, value) =>
        names.includes(name) ? findProblem(getLimits(input, name), getView(name), value) : null,
      (options.validate ?? {}) as Rules,
    ) as never,
    ...(options.onValuesChange && { onValuesChange: options.onValuesChange }),
    // A date is complete when it changes, unlike text that someone is typing.
    validateInputOnChange: names.filter((name) => getView(name).type === 'date') as never,
  });
  const version = useRef(options.row?.updatedAt ?? null);
  const toInput = (values: Values) =>
    ({
      ...Object.fromEntries(
        names.map((name) => [
          name,
          toInputValue(getLimits(input, name), (values as Record<string, unknown>)[name]),
        ]),
      ),
      ...options.toInput?.(values),
    }) as Input;
  return {
    ...form,
    toInput,
    toChanges: (values: Values) => ({
      ...pickChanges(toInput(values), toInput(form.getInitialValues())),
      ...(version.current && { ifUpdatedAt: version.current }),
    }),
    /** After someone else has changed the row: the next changes apply to this version. */
    acceptVersion: (updatedAt: string) => {
      version.current = updatedAt;
    },
    /** Focuses the first field with an error. */
    onSubmit: (submit: (values: Values) => void) =>
      form.onSubmit(submit, (errors, _, event) => {
        const fields = event?.currentTarget.querySelectorAll<HTMLElement>('[data-path]') ?? [];
        [...fields].find(({ dataset }) => (dataset.path ?? '') in errors)?.focus();
      }),
    getField: (name: keyof Input & string) => ({
      view: getView(name),
      kind: getLimits(input, name).kind,
    }),
    /** The label, help, limits, value and error of a field, for an input of any kind. */
    getFieldProps: (name: keyof Input & string) => {
      const { label, hidesOptional, description, placeholder } = getView(name);
      const limits = getLimits(input, name);
      const isMarked =
        canBeEmpty(limits, getView(name)) && limits.kind !== 'boolean' && !hidesOptional;
      const isSwitch = typeof (form.values as Record<string, unknown>)[name] === 'boolean';
      return {
        label: isMarked ? getText('page.optional', { label }) : label,
        ...(description && { description }),
        ...(placeholder && { placeholder }),
        ...toLimitProps(input, name as never),
        ...(form.getInputProps(name as never, {
          type: isSwitch ? 'checkbox' : 'input',
        }) as InputProps),
      };
    },
  };
}

export type InputForm<Input extends object, Own extends object = Record<never, never>> = ReturnType<
  typeof useInputForm<Input, Own>
>;

type Validate = (value: unknown, values: unknown) => string | null;
/** An object has the checks of the parts of a value. */
type Rules = Record<string, Validate | object | undefined>;

/** Checks each field for a missing value before the other checks. */
function createValidators(
  names: string[],
  findMissing: (name: string, value: unknown) => string | null,
  rules: Rules,
): Rules {
  return Object.fromEntries(
    [...new Set([...names, ...Object.keys(rules)])].map((name): [string, Validate | object] => {
      const rule = rules[name];
      if (typeof rule === 'object') return [name, rule];
      const validate = rule as Validate | undefined;
      return [
        name,
        (value: unknown, values: unknown) =>
          findMissing(name, value) ?? validate?.(value, values) ?? null,
      ];
    }),
  );
}

/** So that the form's own check of a field comes before what the service says about it. */
const omitEmptyError = ({ error, ...props }: { error?: unknown }) =>
  error ? { ...props, error } : props;

interface InputFieldProps<Name extends string>
  extends Pick<TextInputProps, 'autoComplete' | 'description' | 'inputWrapperOrder' | 'mt'> {
  form: {
    getField: (name: Name) => { view: FieldView; kind: string };
    getFieldProps: (name: Name) => object;
  };
  name: NoInfer<Name>;
  /** Whether the dialog focuses it first. */
  isFirst?: boolean;
}

/** A field of a form, as its type in the API needs it. */
export function InputField<Name extends string>({
  form,
  name,
  isFirst = false,
  ...others
}: InputFieldProps<Name>) {
  const { kind, view } = form.getField(name);
  const { type, suffix, rows, maxRows } = view;
  const rejection = useFieldError(name);
  const props = {
    ...(rejection !== null && { error: rejection }),
    ...omitEmptyError(form.getFieldProps(name)),
    ...others,
    ...(isFirst && { 'data-autofocus': true }),
  };
  if (kind === 'boolean') return <Switch {...(props as SwitchProps)} />;
  if (kind === 'integer')
    return (
      <NumberInput
        {...(props as NumberInputProps)}
        allowDecimal={false}
        {...(suffix && { suffix })}
      />
    );
  if (rows)
    return (
      <Textarea
        {...(props as TextareaProps)}
        autosize
        minRows={rows}
        {...(maxRows && { maxRows })}
      />
    );
  return <TextInput {...props} {...(type && { type })} />;
}

import { isKnownCurrency, type Money, toMajorUnits, toMinorUnits } from '../../core/money.ts';
import { INPUT_LIMITS } from '../gql/input-limits.ts';
import { getText } from '../language/page-texts.ts';
import { isEmailAddress } from './email-address.ts';
import { explainAmount, formatAmount, parseAmount } from './money.ts';
import { findDateProblem } from './wall-clock.ts';

/** The value of a number input. An empty input has an empty text. */
export type NumberInputValue = number | string;

export const toNumberOrNull = (value: NumberInputValue) => (value === '' ? null : Number(value));

/** An amount of money as two inputs show it, in major units such as euros. */
export interface MoneyInputValue {
  /** As people write it in the language of their browser. */
  amount: string;
  currency: string;
}

export const toMoneyInputValue = (
  money: Money | null | undefined,
  defaultCurrency = 'EUR',
): MoneyInputValue =>
  money
    ? { amount: formatAmount(toMajorUnits(money), money.currency), currency: money.currency }
    : { amount: '', currency: defaultCurrency };

export const toMoney = ({ amount, currency }: MoneyInputValue): Money => ({
  amount: toMinorUnits(parseAmount(amount, currency) ?? 0, currency),
  currency,
});

type Limits = typeof INPUT_LIMITS;
export type InputName = keyof Limits;

interface FieldLimits {
  kind: 'text' | 'integer' | 'boolean' | 'money' | 'list' | 'other';
  isOptional?: true;
  maxLength?: number;
  min?: number;
  max?: number;
  maxItems?: number;
  pattern?: RegExp;
}

const listLimits = (input: InputName) => INPUT_LIMITS[input] as Record<string, FieldLimits>;

export const getLimits = (input: InputName, name: string): FieldLimits =>
  listLimits(input)[name] ?? { kind: 'other' };

/** The limits of a field as the inputs of Mantine and the browser take them. */
export function toLimitProps<Input extends InputName>(
  input: Input,
  name: keyof Limits[Input] & string,
) {
  const { maxLength, min, max, maxItems } = getLimits(input, name);
  return {
    ...(maxLength !== undefined && { maxLength }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(maxItems !== undefined && { maxTags: maxItems }),
  };
}

/** How a form shows a field of an input. Its limits are those of the input. */
export interface FieldView {
  label: string;
  /** Whether the label leaves out "(optional)". */
  hidesOptional?: true;
  description?: string;
  /**
   * What to do if the field is empty, or if an email address is wrong. It makes the field required, also if the service has
   * a default. Without it, the input says whether the field is required.
   */
  missing?: string;
  /** What to do if a text does not match the pattern of the input. */
  invalid?: string;
  type?: 'date' | 'email' | 'tel' | 'url';
  suffix?: string;
  placeholder?: string;
  /** The rows of a text on several lines. */
  rows?: number;
  maxRows?: number;
}

/** Describes each field of an input once, in the order of the form. */
export type FieldViews<Input> = { [Name in Field<Input>]-?: FieldView };

/** The fields that people fill in. The form itself sends the version of what it shows. */
type Field<Input> = Exclude<keyof Input, 'ifUpdatedAt'>;

type FieldValue<Value> = [Value] extends [boolean | null | undefined]
  ? boolean
  : [Value] extends [number | null | undefined]
    ? NumberInputValue
    : [Value] extends [Money | null | undefined]
      ? MoneyInputValue
      : string extends Value
        ? string
        : NonNullable<Value>;

/** The values of a form. An empty field has an empty text. `Own` has the values that the input has not, or not in this form. */
export type FormValues<Input, Own> = Omit<
  { [Name in Field<Input>]-?: FieldValue<Input[Name]> },
  keyof Own
> &
  Own;

/** Returns the fields of the form that the input has. A form can create and update, and some fields are only in one input. */
export const listFields = (input: InputName, views: object) =>
  Object.keys(views).filter((name) => name in listLimits(input));

/** What the inputs of a form show for a row. Null becomes an empty text. */
export const toInitialValues = (
  input: InputName,
  views: object,
  row: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(views).map((name) => [
      name,
      row[name] ?? EMPTY_VALUES[getLimits(input, name).kind] ?? '',
    ]),
  );

const EMPTY_VALUES: Partial<Record<FieldLimits['kind'], unknown>> = {
  boolean: false,
  list: [],
  money: toMoneyInputValue(null),
};

/** A value as the API takes it: text without surrounding blanks, and null for what is empty. */
export function toInputValue({ kind }: FieldLimits, value: unknown): unknown {
  if (kind === 'integer') return toNumberOrNull(value as NumberInputValue);
  if (kind === 'money') return toMoney(value as MoneyInputValue);
  return typeof value === 'string' ? value.trim() || null : value;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

export const canBeEmpty = ({ isOptional }: FieldLimits, { missing }: FieldView) =>
  isOptional === true && missing === undefined;

/** Says what is wrong with a value, or returns null. The service checks it more closely. */
export function findProblem(limits: FieldLimits, view: FieldView, value: unknown): string | null {
  const { kind, pattern } = limits;
  const { missing, invalid, type } = view;
  const isOptional = canBeEmpty(limits, view);
  if (kind === 'money') {
    const { amount, currency } = value as MoneyInputValue;
    if (amount.trim() === '') return isOptional ? null : (missing ?? 'Enter a price (0 = free)');
    if (!isKnownCurrency(currency)) return 'Enter a currency code, such as EUR';
    return parseAmount(amount, currency) === null ? explainAmount(currency) : null;
  }
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || text === null || isEmptyList(text))
    return isOptional ? null : (missing ?? getText('page.enterValue'));
  const dateProblem = type === 'date' ? findDateProblem(String(text)) : null;
  if (dateProblem !== null) return dateProblem;
  if (pattern && !pattern.test(String(text))) return invalid ?? getText('page.enterValidValue');
  if (type !== 'email' || isEmailAddress(String(text))) return null;
  return isOptional ? getText('page.enterEmailOrNone') : (missing ?? getText('page.enterEmail'));
}

/** Returns the fields whose values differ. Untouched fields have the same value in both, so they are left out. */
export const pickChanges = <Input extends object>(input: Input, before: Input) =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) =>
        JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[name]),
    ),
  ) as Partial<Input>;

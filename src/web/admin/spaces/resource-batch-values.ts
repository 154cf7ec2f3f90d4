import {
  type FieldView,
  type FieldViews,
  type MoneyInputValue,
  toMoney,
  toMoneyInputValue,
} from '../../components/input-values.ts';
import type { UpdateResourcesInput } from '../../gql/graphql.ts';
import { RESOURCE_VIEWS } from './resource-form-values.ts';
import type { ResourceDetails } from './resource-queries.ts';

type SwitchName = 'requiresApproval' | 'active';
type BatchChanges = Omit<UpdateResourcesInput, 'resources'>;
type BatchInput = Omit<BatchChanges, SwitchName>;

/** Any field can stay empty. */
const toBatchView = ({ missing, ...view }: FieldView): FieldView => ({
  ...view,
  hidesOptional: true,
});

const { name, slug, requiresApproval, active, ...views } = RESOURCE_VIEWS;

export const BATCH_VIEWS = Object.fromEntries(
  Object.entries(views).map(([field, view]) => [field, toBatchView(view)]),
) as FieldViews<BatchInput>;

export const BATCH_SWITCHES = [
  { name: 'requiresApproval', label: requiresApproval.label },
  { name: 'active', label: active.label },
] as const;

/** The values that all rows share. The others are empty. */
export function toBatchRow(rows: ResourceDetails[]) {
  const [first] = rows;
  const shared = Object.keys(BATCH_VIEWS).filter((field) => {
    const values = rows.map((row) => JSON.stringify(row[field as keyof ResourceDetails]));
    return values.every((value) => value === values[0]);
  });
  const { pricePerHour, ...row } = Object.fromEntries(
    shared.map((field) => [field, first?.[field as keyof ResourceDetails]]),
  ) as Partial<ResourceDetails>;
  return { ...row, pricePerHour: toMoneyInputValue(pricePerHour) };
}

export const toBatchPrice = (price: MoneyInputValue) =>
  price.amount.trim() === '' ? null : toMoney(price);

/** Null clears only these. Other empty fields stay as they are. */
const CLEARABLE = ['area', 'noShowMinutes'];

export function toBatchChanges(
  changes: Partial<BatchInput>,
  switches: Record<SwitchName, string>,
): BatchChanges {
  const kept = Object.entries(changes).filter(
    ([field, value]) => value !== null || CLEARABLE.includes(field),
  );
  const switched = BATCH_SWITCHES.flatMap(({ name }) =>
    switches[name] === '' ? [] : [[name, switches[name] === 'yes']],
  );
  return Object.fromEntries([...kept, ...switched]);
}

import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { isKnownCurrency } from '../../../core/money.ts';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { type NumberInputValue, toLimitProps, toMoney } from '../../components/input-values.ts';
import { explainAmount, parseAmount } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { getText } from '../../language/page-texts.ts';
import { createResources } from '../spaces/resource-queries.ts';

interface Preset {
  label: string;
  namePrefix: string;
  type: ResourceType;
  capacity: number;
  count: NumberInputValue;
  /** What an hour costs, as people write it. */
  price: string;
}

/** In the language of the page: members read these names. */
const listPresets = (): Preset[] => [
  {
    ...{ label: getText('setup.desks'), namePrefix: getText('setup.desk') },
    ...{ type: 'DESK', capacity: 1, count: 10, price: '0' },
  },
  {
    ...{ label: getText('setup.meetingRooms'), namePrefix: getText('setup.meetingRoom') },
    ...{ type: 'ROOM', capacity: 6, count: 2, price: '0' },
  },
  {
    ...{ label: getText('setup.phoneBooths'), namePrefix: getText('setup.phoneBooth') },
    ...{ type: 'ROOM', capacity: 1, count: 0, price: '0' },
  },
  {
    ...{ label: getText('setup.eventRooms'), namePrefix: getText('setup.eventRoom') },
    ...{ type: 'ROOM', capacity: 40, count: 0, price: '0' },
  },
  {
    ...{ label: getText('setup.projectors'), namePrefix: getText('setup.projector') },
    ...{ type: 'EQUIPMENT', capacity: 1, count: 0, price: '0' },
  },
];

interface Props {
  locationId: string;
  cancelLabel: string;
  onDone: () => void;
}

/** Adds numbered rooms, desks and equipment of the usual kinds. */
export function ResourcePresets({ locationId, cancelLabel, onDone }: Props) {
  const form = useForm({
    initialValues: { presets: listPresets(), currency: 'EUR' },
    validate: {
      currency: (code) => (isKnownCurrency(code) ? null : getText('setup.currencyNeeded')),
      presets: {
        namePrefix: (name) => (name.trim() === '' ? getText('setup.nameNeeded') : null),
        price: (price, { currency }) =>
          parseAmount(price, currency) === null && isKnownCurrency(currency)
            ? explainAmount(currency)
            : null,
      },
    },
  });
  const create = useRefetchingMutation(
    async ({ presets, currency }: { presets: Preset[]; currency: string }) => {
      let total = 0;
      for (const [index, preset] of presets.entries()) {
        const { namePrefix, type, capacity, count, price } = preset;
        if (Number(count) === 0) continue;
        const pricePerHour = toMoney({ amount: price, currency });
        const input = {
          ...{ locationId, namePrefix, type, capacity, pricePerHour },
          count: Number(count),
        };
        total += (await createResources(input)).length;
        // If a later kind fails, submitting again does not add this one twice.
        form.setFieldValue(`presets.${index}.count`, 0);
      }
      return total;
    },
    [['resources'], ['locations'], ['day']],
    (total) => {
      if (total > 0) notifySuccess(getText('setup.added', { count: total }));
      onDone();
    },
  );
  return (
    <DialogForm
      label={getText('setup.add')}
      cancelLabel={cancelLabel}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      mutation={create}
      onCancel={onDone}
    >
      {form.values.presets.map(({ label, namePrefix, count }, index) => (
        <SimpleGrid
          key={label}
          cols={{ base: 1, xs: 3 }}
          role="group"
          aria-label={getText('setup.toAdd', { label })}
        >
          <NumberInput
            label={label}
            {...toLimitProps('CreateResourcesInput', 'count')}
            min={0}
            allowDecimal={false}
            clampBehavior="strict"
            {...form.getInputProps(`presets.${index}.count`)}
          />
          <TextInput
            label={getText('setup.namesFrom')}
            description={Number(count) > 0 ? formatNames(namePrefix, Number(count)) : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps(`presets.${index}.namePrefix`)}
          />
          <TextInput
            label={getText('setup.price')}
            description={getText('setup.priceDescription')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="decimal"
            maxLength={20}
            {...form.getInputProps(`presets.${index}.price`)}
          />
        </SimpleGrid>
      ))}
      <TextInput
        label={getText('setup.currency')}
        w={120}
        maxLength={3}
        {...form.getInputProps('currency')}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue('currency', value.toUpperCase())
        }
      />
    </DialogForm>
  );
}

/** As the service numbers them: "Desk 01 to Desk 10". A single one has no number. */
function formatNames(namePrefix: string, count: number): string {
  if (count === 1) return namePrefix;
  const digits = Math.max(2, String(count).length);
  const toName = (number: number) => `${namePrefix} ${String(number).padStart(digits, '0')}`;
  return getText('setup.names', { first: toName(1), last: toName(count) });
}

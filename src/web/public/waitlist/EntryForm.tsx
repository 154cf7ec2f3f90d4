import { Button, Group, Input, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { getText } from '../../language/page-texts.ts';
import { QuantityInput } from '../checkout/QuantityInput.tsx';
import { AcceptsFewerCheckbox } from './AcceptsFewerCheckbox.tsx';
import { type OwnEntry, useChangeEntry } from './queries.ts';

/** Changes how many tickets a person waits for. */
export function EntryForm({ entry, secret }: { entry: OwnEntry; secret: string }) {
  const change = useChangeEntry(secret);
  const { quantity, acceptsFewer, maxQuantity } = entry;
  const form = useForm({ initialValues: { quantity, acceptsFewer } });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        notifySuccess(getText('waitlist.saved'));
        form.resetDirty();
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack mt="md">
        <FormError error={change.error} />
        <div>
          <Input.Label component="div" mb={4}>
            {getText('waitlist.quantity')}
          </Input.Label>
          <QuantityInput
            label={getText('waitlist.tickets')}
            min={1}
            max={maxQuantity}
            value={form.values.quantity}
            onChange={(value) => form.setFieldValue('quantity', value)}
          />
        </div>
        <AcceptsFewerCheckbox
          checked={form.values.acceptsFewer}
          onChange={(value) => form.setFieldValue('acceptsFewer', value)}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            {getText('waitlist.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

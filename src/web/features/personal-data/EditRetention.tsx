import { Checkbox, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { formatDays } from './labels.ts';
import { type RetentionPolicy, useUpdateRetentionPolicy } from './queries.ts';

export function EditRetention({
  policy,
  onClose,
}: {
  policy: RetentionPolicy;
  onClose: () => void;
}) {
  const { key, title, description, days, defaultDays, minDays, maxDays, canKeepForever } = policy;
  const update = useUpdateRetentionPolicy(() => {
    notifyDone(`${title}: the period is changed.`);
    onClose();
  });
  const form = useForm<{ days: number | string; isForever: boolean }>({
    initialValues: { days: days ?? defaultDays ?? minDays, isForever: days === null },
    validate: {
      days: (typed, { isForever }) =>
        isForever ||
        (Number.isInteger(typed) && Number(typed) >= minDays && Number(typed) <= maxDays)
          ? null
          : `From ${minDays} to ${maxDays} days`,
    },
  });
  const submit = form.onSubmit(({ days, isForever }) =>
    update.mutate({ key, days: isForever ? null : Number(days) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormFailure error={update.error} />
        <Text size="sm">{description}</Text>
        {canKeepForever && (
          <Checkbox
            label="Keep forever"
            {...form.getInputProps('isForever', { type: 'checkbox' })}
          />
        )}
        {!form.values.isForever && (
          <NumberInput
            label="Days"
            description={`By default: ${formatDays(defaultDays).toLowerCase()}`}
            allowDecimal={false}
            min={minDays}
            max={maxDays}
            data-autofocus
            {...form.getInputProps('days')}
          />
        )}
      </Stack>
      <DialogActions label="Save" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}

import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { isDay } from '../../ui/wall-clock.ts';
import { type Holder, useStartMembership } from './membership-queries.ts';
import { benefitWords, priceWords } from './plan-words.ts';
import { usePlans } from './queries.ts';

interface Props {
  holder: Holder;
  today: string;
  onClose: () => void;
}

export function StartMembership({ holder, today, onClose }: Props) {
  const plans = usePlans();
  const start = useStartMembership(() => {
    notifyDone('The membership is started.');
    onClose();
  });
  const form = useForm({
    initialValues: { planId: null as string | null, startsOn: today, endsOn: '' },
    validate: {
      planId: isNotEmpty('Choose a plan'),
      startsOn: (day) => (isDay(day) ? null : 'Choose the first day'),
      endsOn: (day, { startsOn }) =>
        day === '' || day >= startsOn ? null : 'Not before the first day',
    },
  });
  const offered = plans.data?.filter(({ active }) => active) ?? [];
  const chosen = offered.find(({ id }) => id === form.values.planId);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ planId, startsOn, endsOn }) =>
        start.mutate({ ...holder, planId: planId ?? '', startsOn, endsOn: endsOn || null }),
      )}
    >
      <Stack>
        <FormFailure error={start.error ?? plans.error} />
        <Select
          label="Plan"
          data={offered.map((plan) => ({
            value: plan.id,
            label: `${plan.name}, ${priceWords(plan)}`,
          }))}
          description={
            plans.isSuccess && offered.length === 0
              ? 'No plan is offered yet: create one under Plans.'
              : null
          }
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('planId')}
        />
        {chosen?.benefits.map((benefit) => (
          <Text key={benefit.resourceType} size="sm" c="dimmed">
            {benefitWords(benefit)}
          </Text>
        ))}
        <SimpleGrid cols={2}>
          <TextInput type="date" label="First day" {...form.getInputProps('startsOn')} />
          <TextInput type="date" label="Last day (optional)" {...form.getInputProps('endsOn')} />
        </SimpleGrid>
      </Stack>
      <DialogActions label="Start membership" onCancel={onClose} pending={start.isPending} />
    </form>
  );
}

import { Alert, Button, Input, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FormFailure } from '../../../ui/FormFailure.tsx';
import { buyerChecks, buyerOf, buyerValues } from '../../ordering/buyer.ts';
import { Quantity } from '../../ordering/Quantity.tsx';
import { joinWaitlist, type OfferedType } from '../queries.ts';

interface Props {
  type: OfferedType;
  onClose: () => void;
}

export function JoinWaitlist({ type, onClose }: Props) {
  const join = useMutation({ mutationFn: joinWaitlist, gcTime: 0 });
  const form = useForm({
    initialValues: { ...buyerValues(), quantity: 1 },
    validate: buyerChecks,
  });
  if (join.isSuccess) return <Joined email={join.variables.email} onClose={onClose} />;
  const submit = form.onSubmit((values) =>
    join.mutate({ ticketTypeId: type.id, quantity: values.quantity, ...buyerOf(values) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={join.error} />
        <Text size="sm">
          <b>{type.name}</b> is sold out. Once tickets come back we write to you in turn, and keep
          them for you for a day.
        </Text>
        <TextInput
          label="Your name"
          autoComplete="name"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Your e-mail address"
          type="email"
          autoComplete="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <div>
          <Input.Label component="div" mb={4}>
            How many tickets
          </Input.Label>
          <Quantity
            label="tickets"
            min={1}
            max={type.perOrder}
            value={form.values.quantity}
            onChange={(quantity) => form.setFieldValue('quantity', quantity)}
          />
        </div>
      </Stack>
      <DialogActions
        label="Join the waiting list"
        onCancel={onClose}
        cancelLabel="Back"
        pending={join.isPending}
      />
    </form>
  );
}

const Joined = ({ email, onClose }: { email: string; onClose: () => void }) => (
  <Stack>
    <Alert color="teal" role="status" title="You are on the waiting list">
      We write to <b>{email}</b> once it is your turn. The mail that is on its way says how to leave
      the list.
    </Alert>
    <Button onClick={onClose} data-autofocus>
      Close
    </Button>
  </Stack>
);

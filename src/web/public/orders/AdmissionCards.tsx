import { Button, Card, Group, Image, Stack, Text, TextInput, Title } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useChangeAttendee, useTransferTicket } from './mutations.ts';
import classes from './OrderPortal.module.css';
import { type OrderAdmission, toOrderAdmissions } from './order-details.ts';
import type { PortalOrder } from './queries.ts';

export function AdmissionCards({ order, secret }: { order: PortalOrder; secret: string }) {
  const naming = useDialog<OrderAdmission>();
  const giving = useDialog<OrderAdmission>();
  const mayChange = order.allowedActions.changeAttendees;
  return (
    <section aria-labelledby="admissions">
      <Title id="admissions" order={2} size="h4" mb="sm">
        {order.event ? 'Tickets' : 'Day passes'}
      </Title>
      <ul className={classes.cards} aria-labelledby="admissions">
        {toOrderAdmissions(order).map((one) => (
          <AdmissionCard
            key={one.id}
            admission={one}
            {...(mayChange && one.isValid
              ? { onName: () => naming.open(one), onGive: () => giving.open(one) }
              : {})}
          />
        ))}
      </ul>
      <Dialog state={naming} title="Who comes?">
        {(one) => <ChangeAttendee admission={one} secret={secret} onClose={naming.close} />}
      </Dialog>
      <Dialog state={giving} title="Give it to somebody else">
        {(one) => <TransferTicket admission={one} secret={secret} onClose={giving.close} />}
      </Dialog>
    </section>
  );
}

interface AdmissionCardProps {
  admission: OrderAdmission;
  onName?: () => void;
  onGive?: () => void;
}

function AdmissionCard({ admission, onName, onGive }: AdmissionCardProps) {
  const { name, line, holder, code, qr, isValid } = admission;
  return (
    <Card
      component="li"
      withBorder
      radius="md"
      padding="md"
      className={classes.card ?? ''}
      c={isValid ? '' : 'dimmed'}
    >
      <Group justify="space-between" gap="xs" align="flex-start">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {holder.name}
        </Text>
        {!isValid && <StatusBadge color="gray">Cancelled</StatusBadge>}
      </Group>
      <Text size="sm">{name}</Text>
      {line && <Text size="sm">{line}</Text>}
      {holder.email && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {holder.email}
        </Text>
      )}
      {isValid && (
        <Stack gap={0} mt="auto">
          <Image src={qr} alt={`QR code of ${code}`} className={classes.qr ?? ''} />
          <Text className={classes.code ?? ''} ta="center" fw={600}>
            {code}
          </Text>
        </Stack>
      )}
      {onName && onGive && (
        <Group gap="xs" mt="sm" className={classes.screenOnly ?? ''}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Change name: ${holder.name}, ${name}`}
            onClick={onName}
          >
            Change name
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Give to somebody else: ${holder.name}, ${name}`}
            onClick={onGive}
          >
            Give to somebody else
          </Button>
        </Group>
      )}
    </Card>
  );
}

interface ChangeAttendeeProps {
  admission: OrderAdmission;
  secret: string;
  onClose: () => void;
}

function ChangeAttendee({ admission, secret, onClose }: ChangeAttendeeProps) {
  const rename = useChangeAttendee(secret, admission.id, () => {
    notifySuccess('The name is changed.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: admission.holder.name, email: admission.holder.email ?? '' },
    validate: {
      name: isNotEmpty('Type the name'),
      email: (value) => (value.trim() ? isEmail('Type the whole address')(value.trim()) : null),
    },
  });
  const submit = form.onSubmit(({ name, email }) =>
    rename.mutate({ name: name.trim(), email: email.trim() || null }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={rename.error} />
        <Text size="sm">The code stays the same.</Text>
        <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="E-mail address (optional)"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      </Stack>
      <DialogActions label="Change name" onCancel={onClose} pending={rename.isPending} />
    </form>
  );
}

interface TransferTicketProps {
  admission: OrderAdmission;
  secret: string;
  onClose: () => void;
}

function TransferTicket({ admission, secret, onClose }: TransferTicketProps) {
  const transfer = useTransferTicket(secret, admission.id, () => {
    notifySuccess('It is theirs now. They get the new code by mail.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: '', email: '' },
    validate: {
      name: isNotEmpty('Type their name'),
      email: (value) => isEmail('Type their e-mail address')(value.trim()),
    },
  });
  const submit = form.onSubmit(({ name, email }) =>
    transfer.mutate({ name: name.trim(), email: email.trim() }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={transfer.error} />
        <Text size="sm">
          They get a new code by mail. The code <b>{admission.code}</b> lets nobody in any more, on
          paper neither.
        </Text>
        <TextInput
          label="Their name"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Their e-mail address"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      </Stack>
      <DialogActions label="Give it away" onCancel={onClose} pending={transfer.isPending} />
    </form>
  );
}

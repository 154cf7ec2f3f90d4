import { Anchor, Button, Card, Group, Image, Stack, Text, TextInput, Title } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { toServiceUrl } from '../../api/urls.ts';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { useChangeAttendee, useTransferTicket } from './mutations.ts';
import classes from './OrderPortal.module.css';
import { type OrderAdmission, toOrderAdmissions } from './order-details.ts';
import type { PortalOrder } from './queries.ts';

export function AdmissionCards({ order, secret }: { order: PortalOrder; secret: string }) {
  const nameDialog = useDialog<OrderAdmission>();
  const transferDialog = useDialog<OrderAdmission>();
  const canChange = order.allowedActions.changeAttendees;
  const admissions = toOrderAdmissions(order);
  return (
    <section aria-labelledby="admissions">
      <Group justify="space-between" align="baseline" mb="sm">
        <Title id="admissions" order={2} size="h4">
          {order.event ? 'Tickets' : 'Day passes'}
        </Title>
        {admissions.some(({ isValid }) => isValid) && (
          <Anchor
            size="sm"
            className={classes.screenOnly ?? ''}
            href={toServiceUrl(`public/orders/${secret}/tickets.pdf`)}
            target="_blank"
            rel="noreferrer"
          >
            {order.event ? 'Tickets as PDF' : 'Day passes as PDF'}
          </Anchor>
        )}
      </Group>
      <ul className={classes.cards} aria-labelledby="admissions">
        {admissions.map((admission) => (
          <AdmissionCard
            key={admission.id}
            admission={admission}
            {...(canChange && admission.isValid
              ? {
                  onRename: () => nameDialog.open(admission),
                  onTransfer: () => transferDialog.open(admission),
                }
              : {})}
          />
        ))}
      </ul>
      <Dialog state={nameDialog} title="Change name">
        {(admission) => (
          <ChangeAttendee admission={admission} secret={secret} onClose={nameDialog.close} />
        )}
      </Dialog>
      <Dialog
        state={transferDialog}
        title={order.event ? 'Transfer this ticket' : 'Transfer this day pass'}
      >
        {(admission) => (
          <TransferTicket admission={admission} secret={secret} onClose={transferDialog.close} />
        )}
      </Dialog>
    </section>
  );
}

interface AdmissionCardProps {
  admission: OrderAdmission;
  onRename?: () => void;
  onTransfer?: () => void;
}

function AdmissionCard({ admission, onRename, onTransfer }: AdmissionCardProps) {
  const { name, details, holder, code, qr, isValid } = admission;
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
      {details && <Text size="sm">{details}</Text>}
      {holder.email && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {holder.email}
        </Text>
      )}
      {isValid && (
        <Stack gap={0} mt="auto">
          <Image src={qr} alt={`QR code ${code}`} className={classes.qr ?? ''} />
          <Text className={classes.code ?? ''} ta="center" fw={600}>
            {code}
          </Text>
        </Stack>
      )}
      {onRename && onTransfer && (
        <Group gap="xs" mt="sm" className={classes.screenOnly ?? ''}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Change name: ${holder.name}, ${name}`}
            onClick={onRename}
          >
            Change name
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Transfer: ${holder.name}, ${name}`}
            onClick={onTransfer}
          >
            Transfer
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
    notifySuccess('Name changed.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: admission.holder.name, email: admission.holder.email ?? '' },
    validate: {
      name: isNotEmpty('Enter a name'),
      email: (value) =>
        value.trim() ? isEmail('Enter a valid email address')(value.trim()) : null,
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
          label="Email address (optional)"
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
    notifySuccess('Transferred. We’ve emailed them the new code.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: '', email: '' },
    validate: {
      name: isNotEmpty('Enter their name'),
      email: (value) => isEmail('Enter their email address')(value.trim()),
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
          They’ll get a new code by email. The current code <b>{admission.code}</b> stops working,
          including on printed copies.
        </Text>
        <TextInput
          label="Their name"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Their email address"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      </Stack>
      <DialogActions label="Transfer" onCancel={onClose} pending={transfer.isPending} />
    </form>
  );
}

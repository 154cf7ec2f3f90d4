import { Anchor, Button, Card, Group, Image, Stack, Text, Title } from '@mantine/core';
import { toServiceUrl } from '../../api/urls.ts';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { PersonInput } from '../../gql/graphql.ts';
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

const ATTENDEE_VIEWS: FieldViews<{ name: string; email: string | null }> = {
  name: { label: 'Name', missing: 'Enter a name' },
  email: { label: 'Email address', type: 'email' },
};

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
  const form = useInputForm('ChangeAttendeeInput', ATTENDEE_VIEWS, { row: admission.holder });
  const submit = form.onSubmit((values) => rename.mutate(form.toInput(values)));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={rename.error} />
        <Text size="sm">The code stays the same.</Text>
        <InputField form={form} name="name" isFirst />
        <InputField form={form} name="email" />
      </Stack>
      <DialogActions label="Change name" onCancel={onClose} pending={rename.isPending} />
    </form>
  );
}

const RECIPIENT_VIEWS: FieldViews<PersonInput> = {
  name: { label: 'Their name', missing: 'Enter their name' },
  email: { label: 'Their email address', type: 'email', missing: 'Enter their email address' },
};

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
  const form = useInputForm('PersonInput', RECIPIENT_VIEWS);
  const submit = form.onSubmit((values) => transfer.mutate(form.toInput(values)));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={transfer.error} />
        <Text size="sm">
          They’ll get a new code by email. The current code <b>{admission.code}</b> stops working,
          including on printed copies.
        </Text>
        <InputField form={form} name="name" isFirst />
        <InputField form={form} name="email" />
      </Stack>
      <DialogActions label="Transfer" onCancel={onClose} pending={transfer.isPending} />
    </form>
  );
}

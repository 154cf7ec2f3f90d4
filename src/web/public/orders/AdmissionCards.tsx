import { Anchor, Button, Card, Group, Image, Stack, Text, Title } from '@mantine/core';
import { toServiceUrl } from '../../api/urls.ts';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import type { PersonInput } from '../../gql/graphql.ts';
import { getText, renderText } from '../../language/page-texts.ts';
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
          {order.event ? getText('event.tickets') : getText('page.dayPasses')}
        </Title>
        {admissions.some(({ isValid }) => isValid) && (
          <Anchor
            size="sm"
            className={classes.screenOnly ?? ''}
            href={toServiceUrl(`public/orders/${secret}/tickets.pdf`)}
            target="_blank"
            rel="noreferrer"
          >
            {order.event ? getText('order.ticketsPdf') : getText('order.passesPdf')}
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
      <Dialog state={nameDialog} title={getText('order.changeName')}>
        {(admission) => (
          <ChangeAttendee admission={admission} secret={secret} onClose={nameDialog.close} />
        )}
      </Dialog>
      <Dialog
        state={transferDialog}
        title={order.event ? getText('order.transferTicket') : getText('order.transferPass')}
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
        {!isValid && <StatusBadge color="gray">{getText('order.cancelledItem')}</StatusBadge>}
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
          <Image src={qr} alt={getText('order.qrCode', { code })} className={classes.qr ?? ''} />
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
            aria-label={getText('order.changeNameOf', { holder: holder.name, name })}
            onClick={onRename}
          >
            {getText('order.changeName')}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={getText('order.transferOf', { holder: holder.name, name })}
            onClick={onTransfer}
          >
            {getText('order.transfer')}
          </Button>
        </Group>
      )}
    </Card>
  );
}

const getAttendeeViews = (): FieldViews<{ name: string; email: string | null }> => ({
  name: { label: getText('order.name'), missing: getText('order.nameMissing') },
  email: { label: getText('order.email'), type: 'email' },
});

interface ChangeAttendeeProps {
  admission: OrderAdmission;
  secret: string;
  onClose: () => void;
}

function ChangeAttendee({ admission, secret, onClose }: ChangeAttendeeProps) {
  const rename = useChangeAttendee(secret, admission.id, () => {
    notifySuccess(getText('order.nameChanged'));
    onClose();
  });
  const form = useInputForm('ChangeAttendeeInput', getAttendeeViews(), { row: admission.holder });
  const submit = form.onSubmit((values) => rename.mutate(form.toInput(values)));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={rename.error} />
        <Text size="sm">{getText('order.codeStays')}</Text>
        <InputField form={form} name="name" isFirst />
        <InputField form={form} name="email" />
      </Stack>
      <DialogActions
        label={getText('order.changeName')}
        onCancel={onClose}
        pending={rename.isPending}
      />
    </form>
  );
}

const getRecipientViews = (): FieldViews<PersonInput> => ({
  name: { label: getText('order.theirName'), missing: getText('order.theirNameMissing') },
  email: {
    label: getText('order.theirEmail'),
    type: 'email',
    missing: getText('order.theirEmailMissing'),
  },
});

interface TransferTicketProps {
  admission: OrderAdmission;
  secret: string;
  onClose: () => void;
}

function TransferTicket({ admission, secret, onClose }: TransferTicketProps) {
  const transfer = useTransferTicket(secret, admission.id, () => {
    notifySuccess(getText('order.transferred'));
    onClose();
  });
  const form = useInputForm('PersonInput', getRecipientViews());
  const submit = form.onSubmit((values) => transfer.mutate(form.toInput(values)));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={transfer.error} />
        <Text size="sm">
          {renderText(
            'order.transferHelp',
            { b: (label) => <b>{label}</b> },
            { code: admission.code },
          )}
        </Text>
        <InputField form={form} name="name" isFirst />
        <InputField form={form} name="email" />
      </Stack>
      <DialogActions
        label={getText('order.transfer')}
        onCancel={onClose}
        pending={transfer.isPending}
      />
    </form>
  );
}

import { Button, Code, Group, Text } from '@mantine/core';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { useNow } from '../../components/browser-time.tsx';
import {
  type Column,
  DataTable,
  formatCountOf,
  isAnyAllowed,
  RowAction,
} from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { AddDiscountForm } from './AddDiscountForm.tsx';
import { type DiscountCode, useDeleteDiscountCode, useUpdateDiscountCode } from './queries.ts';

interface DiscountCodesProps {
  /** Null lists codes for all events and day passes. */
  event: { id: string; ticketTypes: { price: { currency: string } }[] } | null;
  codes: DiscountCode[];
  timeZone: string;
  canChange: boolean;
}

export function DiscountCodes({ event, codes, timeZone, canChange }: DiscountCodesProps) {
  const now = useNow(60);
  const creating = useDialog();
  const deleting = useDialog<DiscountCode>();
  const columns: Column<DiscountCode>[] = [
    { header: 'Code', cell: ({ code }) => <Code fz="sm">{code}</Code> },
    { header: 'Discount', cell: (code) => <Text size="sm">{formatDiscount(code)}</Text> },
    {
      header: 'Used',
      cell: ({ uses, maxUses }) => <Text size="sm">{formatCountOf(uses, maxUses)}</Text>,
    },
    {
      header: 'Status',
      cell: (code) => <DiscountStatusBadge code={code} timeZone={timeZone} now={now} />,
    },
  ];
  return (
    <SectionCard
      title="Discount codes"
      count={codes.length > 0 ? String(codes.length) : undefined}
      description={
        event
          ? 'Valid for this event only. Find codes for all events under Day passes.'
          : 'Valid for all events and day passes. Find codes for a single event on its page.'
      }
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => creating.open(true)}>
            Add a code
          </Button>
        )
      }
    >
      {codes.length === 0 ? (
        <Text size="sm">No codes yet.</Text>
      ) : (
        <DataTable
          label="Discount codes"
          columns={columns}
          rows={codes}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
          actions={(code) =>
            isAnyAllowed(code.allowedActions) && (
              <DiscountActions code={code} onDelete={() => deleting.open(code)} />
            )
          }
        />
      )}
      <Dialog state={creating} title="Add a discount code">
        {() => (
          <AddDiscountForm
            eventId={event?.id ?? null}
            timeZone={timeZone}
            currency={event?.ticketTypes[0]?.price.currency ?? 'EUR'}
            onClose={creating.close}
          />
        )}
      </Dialog>
      <Dialog state={deleting} title="Delete code?">
        {(code) => <DeleteDiscountConfirmation code={code} onClose={deleting.close} />}
      </Dialog>
    </SectionCard>
  );
}

function DiscountActions({ code, onDelete }: { code: DiscountCode; onDelete: () => void }) {
  const update = useUpdateDiscountCode(({ code, active }) =>
    notifySuccess(
      active ? `${code} is active again.` : `${code} is off. Existing orders keep their discount.`,
    ),
  );
  return (
    <>
      {code.allowedActions.update && (
        <Button
          size="xs"
          variant="default"
          loading={update.isPending}
          aria-label={`${code.active ? 'Turn off' : 'Turn on'} ${code.code}`}
          onClick={() =>
            update.mutate(
              { id: code.id, active: !code.active },
              { onError: (error) => notifyFailure('Could not change the code', error) },
            )
          }
        >
          {code.active ? 'Turn off' : 'Turn on'}
        </Button>
      )}
      {code.allowedActions.delete && (
        <RowAction label="Delete" row={code.code} isDestructive onClick={onDelete} />
      )}
    </>
  );
}

interface DiscountStatusProps {
  code: DiscountCode;
  timeZone: string;
  now: Date;
}

function DiscountStatusBadge({ code, timeZone, now }: DiscountStatusProps) {
  const { color, label, note } = toDiscountStatus(code, timeZone, now);
  return (
    <Group gap={6}>
      <StatusBadge color={color}>{label}</StatusBadge>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Group>
  );
}

interface DeleteDiscountConfirmationProps {
  code: DiscountCode;
  onClose: () => void;
}

function DeleteDiscountConfirmation({
  code: { id, code },
  onClose,
}: DeleteDiscountConfirmationProps) {
  const remove = useDeleteDiscountCode(() => {
    notifySuccess(`${code} deleted.`);
    onClose();
  });
  return (
    <Confirmation
      label="Delete code"
      onCancel={onClose}
      onConfirm={() => remove.mutate(id)}
      pending={remove.isPending}
      error={remove.error}
    >
      This deletes <Code>{code}</Code> permanently. A code with orders cannot be deleted: turn it
      off instead.
    </Confirmation>
  );
}

/** "20% off", "€5.00 off" */
const formatDiscount = ({ percent, amount }: DiscountCode) =>
  amount === null ? `${percent ?? 0}% off` : `${formatMoney(amount)} off`;

function toDiscountStatus(
  { active, startsAt, endsAt, maxUses, uses }: DiscountCode,
  timeZone: string,
  now: Date,
): { color: string; label: string; note?: string } {
  if (!active) return { color: 'gray', label: 'Off' };
  if (endsAt !== null && new Date(endsAt) <= now) {
    return {
      color: 'gray',
      label: 'Expired',
      note: `Since ${formatLocalDateTime(endsAt, timeZone)}`,
    };
  }
  if (maxUses !== null && uses >= maxUses) return { color: 'orange', label: 'Used up' };
  if (startsAt !== null && new Date(startsAt) > now) {
    return {
      color: 'yellow',
      label: 'Scheduled',
      note: `From ${formatLocalDateTime(startsAt, timeZone)}`,
    };
  }
  return {
    color: 'teal',
    label: 'On',
    ...(endsAt !== null && { note: `Until ${formatLocalDateTime(endsAt, timeZone)}` }),
  };
}

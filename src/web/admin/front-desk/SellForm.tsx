import { Alert, Anchor, Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Money } from '../../../core/money.ts';
import { formatDate } from '../../../core/time/format.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { findDateProblem, isCalendarDate } from '../../components/wall-clock.ts';
import type { CheckInResult, PaymentMethod } from '../../gql/graphql.ts';
import { PAYMENT_METHOD_LABELS, PaymentMethodField } from '../orders/PaymentMethodField.tsx';
import { RESULT_ADVICE, RESULT_LABELS } from './result-labels.ts';
import {
  type Sale,
  type SaleChoice,
  type SaleKind,
  useSaleChoices,
  useSell,
} from './sale-queries.ts';

interface SellFormProps {
  kind: SaleKind;
  /** Null for all locations. */
  locationId: string | null;
  onClose: () => void;
}

/** Sells a day pass or a ticket to a person at the front desk. */
export function SellForm(props: SellFormProps) {
  const { kind, locationId } = props;
  const [dayText, setDayText] = useState('');
  const query = useSaleChoices(kind, locationId, isCalendarDate(dayText) ? dayText : null);
  return (
    <QueryBoundary query={query} height={200}>
      {(choices) =>
        kind === 'TICKET' && choices.length === 0 ? (
          <Text size="sm" role="status">
            No tickets are left or on sale for the next events.
          </Text>
        ) : (
          <SaleFields
            {...props}
            {...{ choices, dayText }}
            isCurrent={!query.isPlaceholderData}
            onDayChange={setDayText}
          />
        )
      }
    </QueryBoundary>
  );
}

interface SaleFieldsProps extends SellFormProps {
  choices: SaleChoice[];
  /** The day of a day pass, as typed. Empty for today. */
  dayText: string;
  onDayChange: (dayText: string) => void;
  /** Whether the choices are those of the day. */
  isCurrent: boolean;
}

function SaleFields(props: SaleFieldsProps) {
  const { kind, choices, dayText, onDayChange, isCurrent, onClose } = props;
  const [choiceId, setChoiceId] = useState(choices[0]?.id ?? '');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [method, setMethod] = useState<PaymentMethod>('CASH');
  const [checksIn, setChecksIn] = useState<boolean | null>(null);
  const [isIncomplete, setIncomplete] = useState(false);
  const [isDayIncomplete, setDayIncomplete] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);
  const dayInput = useRef<HTMLInputElement>(null);
  // The dialog has already chosen its focus when the choices arrive.
  useEffect(() => nameInput.current?.focus(), []);
  const choice = choices.find(({ id }) => id === choiceId) ?? choices[0];
  const dayProblem = dayText === '' ? null : findDateProblem(dayText);
  const isLater = dayText !== '' && choice?.isToday !== true;
  const checkIn = !isLater && (checksIn ?? choice?.isToday ?? true);
  const { sell, resetKey } = useSell((sold) => {
    if (sold.checkIn?.result !== 'ADMITTED') return;
    notifySuccess(`${name.trim()} is checked in.${formatPaid(sold.order.total, method)}`);
    onClose();
  });
  if (sell.data && sell.data.checkIn?.result !== 'ADMITTED')
    return <SoldNotice order={sell.data.order} result={sell.data.checkIn?.result ?? null} />;
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      resetKey();
      set(value);
    };
  const price = choice?.price;
  return (
    <DialogForm
      label={price && price.amount > 0 ? `Sell for ${formatMoney(price)}` : 'Issue for free'}
      mutation={sell}
      disabled={!choice || !isCurrent}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        setIncomplete(name.trim() === '');
        // A day that is typed in part is empty, and would stand for today.
        const isDayPartial = dayInput.current?.validity.badInput === true;
        setDayIncomplete(isDayPartial);
        if (isDayPartial || dayProblem) return;
        if (!choice || name.trim() === '' || sell.isPending) return;
        const sale = { name: name.trim(), email: email.trim() || null, method, checkIn };
        sell.mutate(
          kind === 'DAY_PASS'
            ? {
                kind,
                input: { dayPassTypeId: choice.id, ...(dayText && { validOn: dayText }), ...sale },
              }
            : { kind, input: { ticketTypeId: choice.id, ...sale } },
        );
      }}
    >
      {choice ? (
        <Select
          label={kind === 'DAY_PASS' ? 'Day pass' : 'Ticket'}
          data={choices.map((one) => ({ value: one.id, label: formatChoice(one) }))}
          value={choice.id}
          onChange={change((id: string | null) => setChoiceId(id ?? ''))}
          allowDeselect={false}
        />
      ) : (
        <Text size="sm" role="status">
          No day passes are left or on sale for{' '}
          {isCalendarDate(dayText) ? formatDate(dayText) : 'today'}. Choose another day.
        </Text>
      )}
      {kind === 'DAY_PASS' && (
        <TextInput
          type="date"
          label="Valid on (optional)"
          description="Today if it is blank"
          ref={dayInput}
          value={dayText}
          error={isDayIncomplete ? 'Enter a full date, or leave it blank' : dayProblem}
          onChange={({ currentTarget }) => change(onDayChange)(currentTarget.value)}
        />
      )}
      <TextInput
        label="Name"
        ref={nameInput}
        autoComplete="off"
        {...toLimitProps('SellDayPassInput', 'name')}
        value={name}
        error={isIncomplete && name.trim() === '' && 'Enter a name'}
        onChange={({ currentTarget }) => change(setName)(currentTarget.value)}
      />
      <TextInput
        label="Email (optional)"
        description="Gets the confirmation. Without it, nobody gets an email."
        type="email"
        autoComplete="off"
        value={email}
        onChange={({ currentTarget }) => change(setEmail)(currentTarget.value)}
      />
      {price && price.amount > 0 && (
        <PaymentMethodField label="Paid" value={method} onChange={change(setMethod)} />
      )}
      {!isLater && (
        <Checkbox
          label="Check in now"
          checked={checkIn}
          onChange={({ currentTarget }) => change(setChecksIn)(currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}

const formatChoice = ({ label, price, left }: SaleChoice) =>
  [
    label,
    price.amount === 0 ? 'free' : formatMoney(price),
    ...(left === null ? [] : [`${left} left`]),
  ].join(', ');

const formatPaid = (total: Money, method: PaymentMethod) =>
  total.amount === 0 ? '' : ` ${formatMoney(total)} paid: ${PAYMENT_METHOD_LABELS[method]}.`;

/** Shows the code of what was sold to a person who is not checked in. */
function SoldNotice({ order, result }: { order: Sale; result: CheckInResult | null }) {
  const [admission] = [...order.tickets, ...order.dayPasses];
  return (
    <Alert
      color={result === null ? 'teal' : 'orange'}
      role="status"
      title={result === null ? 'Sold' : `Sold, but not checked in: ${RESULT_LABELS[result][1]}`}
    >
      <Stack gap="xs" align="flex-start">
        {result !== null && <Text size="sm">{RESULT_ADVICE[result]}</Text>}
        <Text size="sm">
          Code for the entrance: <strong>{admission?.code}</strong>
        </Text>
        <Anchor component={Link} to={`/orders/${order.id}`} size="sm" c="inherit">
          Open the order
        </Anchor>
      </Stack>
    </Alert>
  );
}

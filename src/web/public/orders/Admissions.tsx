import { Button, Card, Group, Image, Stack, Text, Title } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { type Admission, admissionsOf } from './admission.ts';
import { ChangeName } from './ChangeName.tsx';
import { GiveAway } from './GiveAway.tsx';
import classes from './Portal.module.css';
import type { Order } from './queries.ts';

export function Admissions({ order, secret }: { order: Order; secret: string }) {
  const naming = useDialog<Admission>();
  const giving = useDialog<Admission>();
  const mayChange = order.may.changeAttendees;
  return (
    <section aria-labelledby="admissions">
      <Title id="admissions" order={2} size="h4" mb="sm">
        {order.event ? 'Tickets' : 'Day passes'}
      </Title>
      <ul className={classes.cards} aria-labelledby="admissions">
        {admissionsOf(order).map((one) => (
          <AdmissionCard
            key={one.id}
            one={one}
            {...(mayChange && one.isValid
              ? { onName: () => naming.open(one), onGive: () => giving.open(one) }
              : {})}
          />
        ))}
      </ul>
      <Dialog state={naming} title="Who comes?">
        {(one) => <ChangeName one={one} secret={secret} onClose={naming.close} />}
      </Dialog>
      <Dialog state={giving} title="Give it to somebody else">
        {(one) => <GiveAway one={one} secret={secret} onClose={giving.close} />}
      </Dialog>
    </section>
  );
}

interface CardProps {
  one: Admission;
  onName?: () => void;
  onGive?: () => void;
}

function AdmissionCard({ one, onName, onGive }: CardProps) {
  const { name, line, holder, code, qr, isValid } = one;
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
        {!isValid && <StateBadge color="gray">Cancelled</StateBadge>}
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

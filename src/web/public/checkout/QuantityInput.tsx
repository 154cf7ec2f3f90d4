import { ActionIcon, Group, NumberInput, Text } from '@mantine/core';
import { getText } from '../../language/page-texts.ts';

interface Props {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

export function QuantityInput({ label, value, min = 0, max, onChange }: Props) {
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label={label}>
      <ActionIcon
        variant="default"
        size={40}
        aria-label={getText('order.removeOne', { label })}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <StepSign>−</StepSign>
      </ActionIcon>
      <NumberInput
        w={56}
        size="md"
        aria-label={getText('order.quantityOf', { label })}
        hideControls
        min={min}
        max={max}
        clampBehavior="strict"
        allowDecimal={false}
        value={value}
        styles={{ input: { textAlign: 'center', paddingInline: 4, minHeight: 40, height: 40 } }}
        onChange={(next) => onChange(Number(next) || min)}
      />
      <ActionIcon
        variant="default"
        size={40}
        aria-label={getText('order.addOne', { label })}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <StepSign>+</StepSign>
      </ActionIcon>
    </Group>
  );
}

const StepSign = ({ children }: { children: string }) => (
  <Text size="lg" lh={1} aria-hidden>
    {children}
  </Text>
);

import { Group, Radio, Stack, Text } from '@mantine/core';
import { moneyWords } from '../../ui/money.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { leftWords, mostOf } from './pass-words.ts';
import type { OfferedPass } from './queries.ts';

interface Props {
  types: OfferedPass[];
  value: string | null;
  onChange: (id: string) => void;
}

export const PassChoice = ({ types, value, onChange }: Props) => (
  <Radio.Group label="Day pass" value={value} onChange={onChange}>
    <Stack gap="xs" mt={6}>
      {types.map((type) => {
        const [color, words] = leftWords(type);
        return (
          <Radio.Card key={type.id} value={type.id} p="sm" disabled={mostOf(type) === 0}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div style={{ flex: 1, minWidth: 0 }}>
                <Group justify="space-between" gap="xs" align="baseline">
                  <Text fw={600}>{type.name}</Text>
                  <Text>{type.price.amount === 0 ? 'Free' : moneyWords(type.price)}</Text>
                </Group>
                {type.description && (
                  <Text size="sm" c="dimmed">
                    {type.description}
                  </Text>
                )}
                <Group mt={4}>
                  <StateBadge color={color}>{words}</StateBadge>
                </Group>
              </div>
            </Group>
          </Radio.Card>
        );
      })}
    </Stack>
  </Radio.Group>
);

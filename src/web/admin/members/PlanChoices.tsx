import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { usePlanNames } from './import-queries.ts';

type Choices = { name: string; plan: string | null }[];

interface PlanChoicesProps {
  /** The plans of the file that Foyer does not have. */
  names: string[];
  chosen: Choices;
  onChange: (chosen: Choices) => void;
}

const PROBLEM = '';
/** No plan has this name: names are trimmed. */
const NO_PLAN = ' ';

/** Chooses which plan each unknown name in a list stands for. */
export function PlanChoices({ names, chosen, onChange }: PlanChoicesProps) {
  const plans = usePlanNames();
  const find = (name: string) => chosen.find((choice) => choice.name === name);
  const choose = (name: string, value: string | null) => {
    const others = chosen.filter((choice) => choice.name !== name);
    const plan = value === NO_PLAN ? null : value;
    onChange(value === PROBLEM ? others : [...others, { name, plan }]);
  };
  return (
    <Stack gap={4} role="group" aria-label="Plans">
      <Text size="sm" fw={500}>
        Plans that Foyer does not have
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {names.map((name) => {
          const choice = find(name);
          return (
            <Select
              key={name}
              label={name}
              data={[
                { value: PROBLEM, label: 'Report as a problem' },
                { value: NO_PLAN, label: 'Import without a plan' },
                ...(plans.data ?? []).map((plan) => ({ value: plan, label: plan })),
              ]}
              value={choice ? (choice.plan ?? NO_PLAN) : PROBLEM}
              onChange={(value) => choose(name, value)}
              allowDeselect={false}
            />
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}

import { Checkbox } from '@mantine/core';

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a person on a waiting list gets an offer for some of the tickets. */
export const AcceptsFewerCheckbox = ({ checked, onChange }: Props) => (
  <Checkbox
    label="Offer me fewer tickets if not all are available"
    description="You stay on the list for the others. Otherwise, you get an offer when all are available."
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

import { Checkbox } from '@mantine/core';
import { getText } from '../../language/page-texts.ts';

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a person on a waiting list gets an offer for some of the tickets. */
export const AcceptsFewerCheckbox = ({ checked, onChange }: Props) => (
  <Checkbox
    label={getText('waitlist.fewer')}
    description={getText('waitlist.fewerHelp')}
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

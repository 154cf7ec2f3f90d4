import { Stack, Switch } from '@mantine/core';
import { getText } from '../language/page-texts.ts';

interface Preferences {
  receivesReminders: boolean;
  receivesMailings: boolean;
}

interface Props {
  preferences: Preferences;
  isPending: boolean;
  onChange: (changed: Partial<Preferences>) => void;
}

/** Which emails are sent, besides those that are necessary. */
export const EmailPreferenceSwitches = ({ preferences, isPending, onChange }: Props) => (
  <Stack>
    <Switch
      label={getText('email.reminders')}
      description={getText('email.remindersHelp')}
      checked={preferences.receivesReminders}
      disabled={isPending}
      onChange={({ currentTarget }) => onChange({ receivesReminders: currentTarget.checked })}
    />
    <Switch
      label={getText('email.mailings')}
      description={getText('email.mailingsHelp')}
      checked={preferences.receivesMailings}
      disabled={isPending}
      onChange={({ currentTarget }) => onChange({ receivesMailings: currentTarget.checked })}
    />
  </Stack>
);

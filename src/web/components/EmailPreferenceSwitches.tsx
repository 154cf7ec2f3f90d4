import { Stack, Switch } from '@mantine/core';

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
      label="Reminders"
      description="A day before your bookings and events."
      checked={preferences.receivesReminders}
      disabled={isPending}
      onChange={({ currentTarget }) => onChange({ receivesReminders: currentTarget.checked })}
    />
    <Switch
      label="Mailings"
      description="What the team of your space writes to its members."
      checked={preferences.receivesMailings}
      disabled={isPending}
      onChange={({ currentTarget }) => onChange({ receivesMailings: currentTarget.checked })}
    />
  </Stack>
);

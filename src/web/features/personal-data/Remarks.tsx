import { Alert, List } from '@mantine/core';
import { nounOf } from './labels.ts';
import type { PersonSummary } from './queries.ts';

/** What erasing does not reach, and staff has to look at. */
export function Remarks({ summary }: { summary: Pick<PersonSummary, 'otherEmails' | 'mentions'> }) {
  const { otherEmails, mentions } = summary;
  return (
    <>
      {otherEmails.length > 0 && (
        <Alert color="yellow" title="Other addresses">
          Orders of this member, or a change of address, also name {otherEmails.join(', ')}. Find
          these addresses, too.
        </Alert>
      )}
      {mentions.length > 0 && (
        <Alert color="yellow" title="Texts that name the person">
          Erasing leaves these texts as they are. Change them yourself.
          <List size="sm" mt={4}>
            {mentions.map(({ table, id }) => (
              <List.Item key={id}>
                {nounOf(table)} ({id})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

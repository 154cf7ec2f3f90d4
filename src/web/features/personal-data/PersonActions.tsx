import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { downloadFile } from './download-file.ts';
import { ErasePerson } from './ErasePerson.tsx';
import { type PersonSearch, type PersonSummary, useExportPerson } from './queries.ts';

interface Props {
  person: PersonSearch;
  /** What has to be typed before the person is erased. */
  confirmation: string;
  /** Read when it is needed, if it is not here yet. */
  summary?: PersonSummary;
  onErased?: () => void;
}

export function PersonActions({ person, confirmation, summary, onErased }: Props) {
  const erasing = useDialog();
  const exporting = useExportPerson((file) => {
    downloadFile(file.fileName, file.json);
    notifyDone(`${file.fileName} is downloaded.`);
  });
  return (
    <>
      <Button
        variant="default"
        loading={exporting.isPending}
        onClick={() =>
          exporting.mutate(person, {
            onError: (error) => notifyFailure('The data was not exported', error),
          })
        }
      >
        Export data
      </Button>
      <Button variant="light" color="red" onClick={() => erasing.open(true)}>
        Erase person…
      </Button>
      <Dialog state={erasing} title="Erase this person?" size="lg">
        {() => (
          <ErasePerson
            person={person}
            confirmation={confirmation}
            {...(summary && { summary })}
            onClose={erasing.close}
            onErased={onErased}
          />
        )}
      </Dialog>
    </>
  );
}

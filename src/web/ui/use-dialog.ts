import { useState } from 'react';

/**
 * What a dialog is about, and whether it is open. The subject outlives the closing, so that the content does not change
 * while the dialog fades.
 */
export function useDialog<Subject = true>() {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    subject,
    opened,
    open: (about: Subject) => {
      setSubject(() => about);
      setOpened(true);
    },
    close: () => setOpened(false),
  };
}

export type DialogState<Subject> = ReturnType<typeof useDialog<Subject>>;

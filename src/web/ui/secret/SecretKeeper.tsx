import { Modal } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { SecretOnce } from './SecretOnce.tsx';
import { type Secret, SecretContext } from './use-secret.ts';

/** Stands above everything that could be navigated away from. Only its own button closes it. */
export function SecretKeeper({ children }: { children: ReactNode }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const show = useCallback((secret: Secret) => setSecret(secret), []);
  useWarningBeforeLeaving(secret !== null);
  return (
    <SecretContext value={show}>
      {children}
      <Modal
        opened={secret !== null}
        onClose={() => undefined}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
        title={secret?.title}
        size="lg"
        transitionProps={{ duration: 0 }}
      >
        {secret && <SecretOnce secret={secret} onDone={() => setSecret(null)} />}
      </Modal>
    </SecretContext>
  );
}

function useWarningBeforeLeaving(wanted: boolean) {
  useEffect(() => {
    if (!wanted) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [wanted]);
}

import { useEffect, useRef } from 'react';
import { understand } from './typed.ts';

/** A whole code that is pasted needs no Enter, wherever the focus is; anything else goes where it was pasted to. */
export function usePastedCode(wanted: boolean, take: (code: string) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!wanted) return;
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const { target } = event;
      const isAdded = target instanceof HTMLInputElement && target.value !== '';
      if (isAdded || understand(text).is !== 'code') return;
      event.preventDefault();
      latest.current(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [wanted]);
}

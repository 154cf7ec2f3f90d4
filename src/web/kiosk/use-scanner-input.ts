import { useEffect, useRef } from 'react';
import { parseKioskInput } from './parse-input.ts';

/** What is typed while no field has the focus: a hand-held scanner does not click into one first. */
export function useScannerKeys(wanted: boolean, take: (keys: string) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!wanted) return;
    const onKey = (event: KeyboardEvent) => {
      const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      // The space bar presses the button that has the focus.
      if (!isTyped || event.key === ' ' || isTextField(document.activeElement)) return;
      event.preventDefault();
      latest.current(event.key);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [wanted]);
}

const isTextField = (element: Element | null) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

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
      if (isAdded || parseKioskInput(text).kind !== 'code') return;
      event.preventDefault();
      latest.current(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [wanted]);
}

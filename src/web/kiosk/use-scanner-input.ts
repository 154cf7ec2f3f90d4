import { useEffect, useRef } from 'react';
import { parseKioskInput } from './parse-input.ts';

/** Catches keys typed while no field has the focus, as hand-held scanners do. */
export function useScannerKeys(isEnabled: boolean, onKeys: (keys: string) => void): void {
  const latest = useRef(onKeys);
  latest.current = onKeys;
  useEffect(() => {
    if (!isEnabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isCharacter =
        event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      // The space bar presses the focused button.
      if (!isCharacter || event.key === ' ' || isTextField(document.activeElement)) return;
      event.preventDefault();
      latest.current(event.key);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isEnabled]);
}

const isTextField = (element: Element | null) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Submits a pasted code without Enter, wherever the focus is. Other text is pasted as usual. */
export function usePastedCode(isEnabled: boolean, onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    if (!isEnabled) return;
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const { target } = event;
      const hasText = target instanceof HTMLInputElement && target.value !== '';
      if (hasText || parseKioskInput(text).kind !== 'code') return;
      event.preventDefault();
      latest.current(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isEnabled]);
}

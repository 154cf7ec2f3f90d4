import { Button } from '@mantine/core';
import { BarcodeDetector } from 'qr/decode.js';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import classes from './Kiosk.module.css';
import { parseKioskInput } from './parse-input.ts';
import type { Kiosk } from './queries.ts';
import type { KioskState } from './use-kiosk.ts';

interface StartScreenProps {
  kiosk: Kiosk;
  state: KioskState;
  text: string;
  onText: (text: string) => void;
}

/** One field that takes whatever a guest has: a name, an address, a code, or what a scanner types. */
export function StartScreen({ kiosk, state, text, onText }: StartScreenProps) {
  const { leaving, isPending, problem, findsNames, submit, byCode, restart } = state;
  const [isWatching, setIsWatching] = useState(false);
  const hasCamera = useHasCamera();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever turns to leave types next, too
  useEffect(() => {
    if (!isPending) field.current?.focus();
  }, [isPending, leaving]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !isPending) void submit(text);
    field.current?.focus();
  };
  return (
    <>
      <h1 className={classes.title}>
        {leaving ? 'Leaving? Until next time!' : `Welcome to ${kiosk.name}`}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="who">
          {findsNames ? 'Your name, e-mail address or code' : 'Your e-mail address or code'}
        </label>
        <div className={classes.entry}>
          <input
            ref={field}
            id="who"
            className={classes.field}
            value={text}
            onChange={({ currentTarget: { value } }) => onText(value)}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            aria-invalid={problem !== null}
            aria-describedby="problem"
          />
          <Button type="submit" className={classes.go ?? ''} loading={isPending}>
            {leaving ? 'Check out' : 'Check in'}
          </Button>
        </div>
        {problem === null && (
          <p className={classes.help}>Type it, or hold your QR code in front of the scanner.</p>
        )}
        <p id="problem" role="alert" className={classes.problem}>
          {problem}
        </p>
      </form>
      {isWatching && (
        <CameraScanner
          onCode={(code) => {
            setIsWatching(false);
            void byCode(code);
          }}
          onClose={() => setIsWatching(false)}
        />
      )}
      <div className={classes.others}>
        {hasCamera && !isWatching && (
          <Button
            variant="default"
            className={classes.other ?? ''}
            onClick={() => setIsWatching(true)}
          >
            Scan with the camera
          </Button>
        )}
        <Button
          variant="default"
          className={classes.other ?? ''}
          onClick={() => restart({ leaving, at: 'visitor' })}
        >
          {leaving ? 'I was visiting somebody' : 'I am visiting somebody'}
        </Button>
        <Button
          variant="default"
          className={classes.other ?? ''}
          onClick={() => restart({ leaving: !leaving })}
        >
          {leaving ? 'No, I am arriving' : 'I am leaving'}
        </Button>
      </div>
    </>
  );
}

const SCAN_INTERVAL_MS = 150;
const MAX_CAMERA_SECONDS = 45;
/** As in a mirror: so people find the way to its middle. Low enough for the button below it to be seen. */
const VIDEO_STYLE = { transform: 'scaleX(-1)', maxHeight: '35vh' };

/** Whether there is one. Browsers tell so over https only; whether it may be used is asked when it is. */
function useHasCamera(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    const look = () =>
      mediaDevices.enumerateDevices().then(
        (devices) => setHas(devices.some(({ kind }) => kind === 'videoinput')),
        () => setHas(false),
      );
    void look();
    mediaDevices.addEventListener('devicechange', look);
    return () => mediaDevices.removeEventListener('devicechange', look);
  }, []);
  return has;
}

interface CameraScannerProps {
  onCode: (code: string) => void;
  onClose: () => void;
}

function CameraScanner({ onCode, onClose }: CameraScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const told = useRef({ onCode, onClose });
  told.current = { onCode, onClose };

  useEffect(() => {
    let stream: MediaStream | undefined;
    let isOver = false;
    const given = setTimeout(() => told.current.onClose(), MAX_CAMERA_SECONDS * 1000);

    async function watch(): Promise<void> {
      const screen = video.current;
      if (!screen) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      if (isOver) return stopStream(stream);
      screen.srcObject = stream;
      await screen.play();
      // Not the browser's own: Safari, Firefox and Chromium on Linux and Windows have none.
      const detector = new BarcodeDetector({ formats: ['qr_code'] });
      while (!isOver) {
        const [found] = await detector.detect(screen).catch(() => []);
        if (found?.rawValue && !isOver)
          return told.current.onCode(parseScannedCode(found.rawValue));
        await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
      }
    }

    watch().catch(() => {
      if (!isOver) setProblem('The camera cannot be used. Type your code instead.');
    });
    return () => {
      isOver = true;
      clearTimeout(given);
      if (stream) stopStream(stream);
    };
  }, []);

  return (
    <div className={classes.camera}>
      {problem === null ? (
        <video
          ref={video}
          muted
          playsInline
          aria-label="What the camera sees"
          style={VIDEO_STYLE}
        />
      ) : (
        <p role="alert">{problem}</p>
      )}
      <div className={classes.others}>
        <Button variant="default" className={classes.other ?? ''} onClick={onClose}>
          Close the camera
        </Button>
      </div>
    </div>
  );
}

const stopStream = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Of a link to a ticket, too. Whatever else is held up is told as a code that is not known. */
function parseScannedCode(seen: string): string {
  const typed = parseKioskInput(seen);
  return typed.kind === 'code' ? typed.code : seen;
}

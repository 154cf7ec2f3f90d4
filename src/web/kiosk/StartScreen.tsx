import { Button } from '@mantine/core';
import { BarcodeDetector } from 'qr/decode.js';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { getText } from '../language/page-texts.ts';
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

/** One field for a name, an email address, a code, or the input of a scanner. */
export function StartScreen({ kiosk, state, text, onText }: StartScreenProps) {
  const { leaving, isPending, problem, canLookUp, canLookUpNames, submit, checkInByCode, restart } =
    state;
  const [isScanning, setIsScanning] = useState(false);
  const hasCamera = useHasCamera();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field gets the focus again when the guest switches to leaving
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
        {leaving
          ? getText('kiosk.leavingTitle')
          : getText('kiosk.welcomeTo', { location: kiosk.name })}
      </h1>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <label className={classes.label} htmlFor="guest">
          {formatFieldLabel(canLookUp, canLookUpNames)}
        </label>
        <div className={classes.entry}>
          <input
            ref={field}
            id="guest"
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
          <Button type="submit" className={classes.submit ?? ''} loading={isPending}>
            {getText(leaving ? 'kiosk.checkOut' : 'kiosk.checkIn')}
          </Button>
        </div>
        {problem === null && (
          <p className={classes.help}>
            {getText(canLookUp ? 'kiosk.help' : 'kiosk.helpWithoutLookup')}
          </p>
        )}
        <p id="problem" role="alert" className={classes.problem}>
          {problem}
        </p>
      </form>
      {isScanning && (
        <CameraScanner
          onCode={(code) => {
            setIsScanning(false);
            void checkInByCode(code);
          }}
          onClose={() => setIsScanning(false)}
        />
      )}
      <div className={classes.actions}>
        {hasCamera && !isScanning && (
          <Button
            variant="default"
            className={classes.action ?? ''}
            onClick={() => setIsScanning(true)}
          >
            {getText('kiosk.scan')}
          </Button>
        )}
        {canLookUp && (
          <Button
            variant="default"
            className={classes.action ?? ''}
            onClick={() => restart({ leaving, at: 'visitor' })}
          >
            {getText(leaving ? 'kiosk.wasVisiting' : 'kiosk.visiting')}
          </Button>
        )}
        <Button
          variant="default"
          className={classes.action ?? ''}
          onClick={() => restart({ leaving: !leaving })}
        >
          {getText(leaving ? 'kiosk.arriving' : 'kiosk.leaving')}
        </Button>
      </div>
    </>
  );
}

function formatFieldLabel(canLookUp: boolean, canLookUpNames: boolean): string {
  if (!canLookUp) return getText('kiosk.yourCode');
  return getText(canLookUpNames ? 'kiosk.yourNameOrCode' : 'kiosk.yourEmailOrCode');
}

const SCAN_INTERVAL_MS = 150;
const MAX_CAMERA_SECONDS = 45;
/** Mirrored, so that people can aim, and not so tall that it hides the button below. */
const VIDEO_STYLE = { transform: 'scaleX(-1)', maxHeight: '35vh' };

/** Browsers list cameras over HTTPS only. They ask for permission when the camera is started. */
function useHasCamera(): boolean {
  const [hasCamera, setHasCamera] = useState(false);
  useEffect(() => {
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    const update = () =>
      mediaDevices.enumerateDevices().then(
        (devices) => setHasCamera(devices.some(({ kind }) => kind === 'videoinput')),
        () => setHasCamera(false),
      );
    void update();
    mediaDevices.addEventListener('devicechange', update);
    return () => mediaDevices.removeEventListener('devicechange', update);
  }, []);
  return hasCamera;
}

interface CameraScannerProps {
  onCode: (code: string) => void;
  onClose: () => void;
}

function CameraScanner({ onCode, onClose }: CameraScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const handlers = useRef({ onCode, onClose });
  handlers.current = { onCode, onClose };

  useEffect(() => {
    let stream: MediaStream | undefined;
    let isClosed = false;
    const timer = setTimeout(() => handlers.current.onClose(), MAX_CAMERA_SECONDS * 1000);

    async function scan(): Promise<void> {
      const preview = video.current;
      if (!preview) return;
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      if (isClosed) return stopStream(stream);
      preview.srcObject = stream;
      await preview.play();
      // From a library, because Safari, Firefox, and Chromium on Linux and Windows do not have it built in.
      const detector = new BarcodeDetector({ formats: ['qr_code'] });
      while (!isClosed) {
        const [barcode] = await detector.detect(preview).catch(() => []);
        if (barcode?.rawValue && !isClosed)
          return handlers.current.onCode(parseScannedCode(barcode.rawValue));
        await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
      }
    }

    scan().catch(() => {
      if (!isClosed) setProblem(getText('kiosk.cameraFailed'));
    });
    return () => {
      isClosed = true;
      clearTimeout(timer);
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
          aria-label={getText('kiosk.cameraPreview')}
          style={VIDEO_STYLE}
        />
      ) : (
        <p role="alert">{problem}</p>
      )}
      <div className={classes.actions}>
        <Button variant="default" className={classes.action ?? ''} onClick={onClose}>
          {getText('kiosk.closeCamera')}
        </Button>
      </div>
    </div>
  );
}

const stopStream = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Extracts the code, also from a ticket link. Any other content is submitted unchanged and reported as an unknown code. */
function parseScannedCode(text: string): string {
  const input = parseKioskInput(text);
  return input.kind === 'code' ? input.code : text;
}

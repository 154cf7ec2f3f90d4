import { Anchor, FileInput, Progress, Select, Stack, Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import type { ImportReportFragment } from '../../gql/graphql.ts';
import { ENCODING_OPTIONS } from './encodings.ts';
import { ImportPreview } from './ImportPreview.tsx';
import type { ImportNoun } from './import-labels.tsx';

/** Takes the share that is done. */
export type OnProgress = (share: number) => void;

/** A file with the report of what its import would do. */
export interface CheckedFile {
  report: ImportReportFragment;
  /** How the file was read, unless it is Unicode, or the report says it. */
  encoding?: string | null;
  run: (onProgress: OnProgress) => Promise<ImportReportFragment>;
}

interface ImportFileProps {
  noun: ImportNoun;
  explanation: string;
  fileLabel: string;
  /** The types of the file, as of an input. */
  accept: string;
  maxBytes: number;
  /** What to say about a file that is larger. */
  tooLarge: string;
  /** Checks a file without changing anything. */
  check: (file: File, encoding: string | null, onProgress: OnProgress) => Promise<CheckedFile>;
  /** Whether the other fields are filled in. */
  isReady?: boolean;
  /** The other fields. Call `reset` when one of them changes, to remove an error. */
  children: (reset: () => void) => ReactNode;
  onChooseFile?: () => void;
  /** What to do about problems. */
  advice: string;
  /** What to do after an error, if a part of the file can have been imported. */
  errorAdvice: string;
  /** The keys of the queries that show what was imported. */
  affected: QueryKey[];
  onClose: () => void;
}

/** Imports a file: choose it, see what will happen, import it. */
export function ImportFile({ noun, advice, errorAdvice, affected, ...props }: ImportFileProps) {
  const { onClose, isReady = true } = props;
  const [file, setFile] = useState<File | null>(null);
  const [encoding, setEncoding] = useState<string | null>(null);
  const [progress, setProgress] = useState(0);
  const check = useInvalidatingMutation(
    async (): Promise<CheckedFile> => {
      if (file === null || file.size > props.maxBytes) throw new Error(props.tooLarge);
      return props.check(file, encoding, setProgress);
    },
    [],
    () => setProgress(0),
  );
  if (check.data)
    return (
      <ImportPreview
        report={check.data.report}
        encoding={check.data.encoding ?? null}
        onImport={check.data.run}
        onBack={check.reset}
        {...{ noun, advice, errorAdvice, affected, onClose }}
      />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check.mutate();
      }}
    >
      <Stack gap="sm">
        <FormError error={check.error} />
        <Text size="sm">
          {props.explanation} Nothing is imported before you have seen what will happen.{' '}
          <Anchor component={Link} to="/settings/imports" size="sm">
            Earlier imports
          </Anchor>
        </Text>
        <FileInput
          label={props.fileLabel}
          placeholder="Choose a file"
          accept={props.accept}
          data-autofocus
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          value={file}
          onChange={(next) => {
            check.reset();
            setFile(next);
            props.onChooseFile?.();
          }}
        />
        {props.children(check.reset)}
        <Select
          label="Encoding"
          description="Only if letters looked wrong"
          placeholder="Recognize it"
          data={ENCODING_OPTIONS}
          value={encoding}
          onChange={(next) => {
            check.reset();
            setEncoding(next);
          }}
          clearable
        />
        {check.isPending && <Progress value={progress * 100} aria-label="Checking the file" />}
      </Stack>
      <DialogActions
        label="Check the file"
        disabled={file === null || !isReady}
        pending={check.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

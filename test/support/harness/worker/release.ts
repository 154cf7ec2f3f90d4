declare global {
  /** What the test file of this worker has opened. */
  var openedByTestFile: object[] | undefined;
}

/**
 * Empties an object at the end of the test file. Node.js never frees the modules of a test file, and without this, their variables
 * keep all that the file has opened.
 */
export function emptyAfterFile<Opened extends object>(opened: Opened): Opened {
  globalThis.openedByTestFile ??= [];
  globalThis.openedByTestFile.push(opened);
  return opened;
}

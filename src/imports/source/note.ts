/** A note about the file as a whole, such as a column that is not imported. */
export interface ImportNote {
  line: number;
  text: string;
}

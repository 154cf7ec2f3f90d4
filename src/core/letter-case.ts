export const toSnakeCase = (key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts the keys of an object and its nested objects from camelCase to snake_case. Arrays and dates stay unchanged. */
export function toSnakeCaseKeys(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      toSnakeCase(key),
      isPlainObject(inner) ? toSnakeCaseKeys(inner) : inner,
    ]),
  );
}

/** Does the same to a JSON value, and to the objects in its arrays. */
export function toSnakeCaseJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCaseJson);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toSnakeCase(key), toSnakeCaseJson(inner)]),
  );
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Converts `check_in` and `check-in` to `CheckIn`. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[-_.]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

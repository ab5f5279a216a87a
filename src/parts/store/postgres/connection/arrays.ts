/** Texts as the text from which PostgreSQL reads a `text[]`; a null is NULL. */
export const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map(quoted).join(',')}}`

/** Numbers, or numbers as decimal text, as the text of a `bigint[]` or `numeric[]`. */
export const numberArray = (values: readonly (number | string | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`

function quoted(text: string | null): string {
  if (text === null) return 'NULL'
  return `"${special.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
}

const special = /["\\]/

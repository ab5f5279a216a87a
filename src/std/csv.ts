/** One line of RFC 4180, whose texts no spreadsheet takes for formulas. [payouts#breakup] */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A spreadsheet would carry it out, and a stranger may have written it. Numbers are none. */
const isFormula = (text: string): boolean =>
  /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)

type Flat = Readonly<Record<string, unknown>>

/** Fields of fields get names such as `customer.email`; lists stay together, as JSON. */
export function flatFields(item: Flat, prefix = ''): Flat {
  const flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(item)) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isPart && name !== 'metadata')
      Object.assign(flat, flatFields(value as Flat, `${prefix}${name}.`))
    else flat[prefix + name] = value
  }
  return flat
}

/** One line of RFC 4180. */
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

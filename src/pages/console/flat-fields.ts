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

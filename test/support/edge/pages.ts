export type Pages = ReturnType<typeof openPages>

/**
 * Keeps answers in the order in which they were asked for. It numbers ids in the order in which
 * they appear, and sorts the fields of prices, whose order the store does not keep.
 */
export function openPages() {
  const lines: string[] = []
  const numbers = new Map<string, string>()
  return { add, text }

  function add(title: string, body: unknown): void {
    lines.push(`### ${title}`, JSON.stringify(body, sortedPrice, 2), '')
  }

  function text(): string {
    return lines.join('\n').replaceAll(/\b(?:cle_)?([a-z]{3})_[\w-]{21}/g, (id, prefix) => {
      const number = numbers.get(id) ?? `${prefix}_${numbers.size + 1}`
      numbers.set(id, number)
      return number
    })
  }
}

const sortedPrice = (key: string, value: unknown): unknown =>
  key === 'price' || key === 'price_detail' ? sorted(value) : value

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const)
  return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

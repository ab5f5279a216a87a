export type Pages = ReturnType<typeof openPages>

/**
 * Answers in the order in which they were asked for. Ids are numbered in the order in which they
 * appear; a price's fields are sorted, since the store does not keep their order.
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

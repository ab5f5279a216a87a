/** A piece of SQL with its bound values. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** SQL with bound values; a nested Statement is spliced in, everything else is a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  let text = strings[0] ?? ''
  const bound: unknown[] = []
  values.forEach((value, index) => {
    if (isStatement(value)) {
      text += value.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + bound.length}`)
      bound.push(...value.values)
    } else {
      bound.push(value)
      text += `$${bound.length}`
    }
    text += strings[index + 1] ?? ''
  })
  return { text, values: bound }
}

/** Statements side by side, such as the conditions of a where clause. */
export function joined(
  parts: readonly Statement[],
  separator: ' and ' | ', ' | ' union all ',
): Statement {
  return parts.reduce(
    (all, part, index) => (index === 0 ? part : sql`${all}${raw(separator)}${part}`),
    raw(''),
  )
}

/** Only for texts that stand in the code, never for a caller's. */
const raw = (text: string): Statement => ({ text, values: [] })

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value
}
